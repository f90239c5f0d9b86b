/** Reads the arguments of tool calls. Broken ones are repaired only if the result is what the tool takes. */
import type { LanguageModelV4FunctionTool } from '@ai-sdk/provider';
import { jsonrepair } from 'jsonrepair';
import { z } from 'zod';
import { invalidArguments } from '../../../../core/model/invalidArguments.ts';
import type { AnswerOptions, Arguments } from './answer.ts';

const Input = z.record(z.string(), z.unknown());

/** The arguments of an answer that was cut are not repaired: their end is missing. */
export function argumentsReader(tools: readonly LanguageModelV4FunctionTool[]): AnswerOptions['argumentsOf'] {
  return (tool, text, isCut): Arguments => {
    const plain = Input.safeParse(parsed(text.trim() === '' ? '{}' : text));
    if (plain.success) return { input: plain.data, repaired: false };
    if (isCut) return { input: {}, repaired: false };
    const repaired = Input.safeParse(mended(text));
    const schema = tools.find(({ name }) => name === tool)?.inputSchema;
    if (repaired.success && schema !== undefined && fits(schema, repaired.data))
      return { input: repaired.data, repaired: true };
    return { input: invalidArguments(text), repaired: false };
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null; // the caller tries to repair it
  }
}

function mended(text: string): unknown {
  try {
    return JSON.parse(jsonrepair(text));
  } catch {
    return null; // the caller reports it to the model
  }
}

function fits(schema: LanguageModelV4FunctionTool['inputSchema'], input: object): boolean {
  try {
    return z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]).safeParse(input).success;
  } catch {
    return false; // a schema with parts that cannot be checked: nothing is repaired
  }
}
