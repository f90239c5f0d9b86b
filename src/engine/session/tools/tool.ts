/** The form of a tool: its description for the model, and the effect of a call. */

import type { BetaRunnableTool, BetaToolRunContext } from '@anthropic-ai/sdk/lib/tools/BetaRunnableTool';
import { ToolError } from '@anthropic-ai/sdk/lib/tools/ToolError';
import type { BetaTool, BetaToolResultContentBlockParam } from '@anthropic-ai/sdk/resources/beta/messages/messages';
import { z } from 'zod';
import { holdsPlaceholder, withoutSecrets } from '../../../core/guard/secrets.ts';
import { areInvalid } from '../../../core/model/invalidArguments.ts';
import { oneByOne } from '../../../core/session/oneByOne.ts';
import { AutonomousError, type ErrorCode, messageOf } from '../../../shared/errors.ts';
import type { ProjectTools, ScratchFile, SessionCommands, SessionTools, TreeFiles } from '../ports.ts';
import { headOnly, visibleText } from '../text.ts';

/** The context of a call. */
export interface ToolContext {
  readonly workdir: string;
  readonly files: TreeFiles;
  /** Returns the file of the session's scratch folder at a path, or null if the path is elsewhere. */
  scratchFile(path: string): ScratchFile | null;
  readonly commands: SessionCommands;
  readonly sessionTools: SessionTools;
  readonly project: ProjectTools | null;
  /** The id of the call, the same when an interrupted round is repeated. */
  readonly callId: string;
  readonly signal: AbortSignal;
  /** Milliseconds that the attempt has left. */
  msLeft(): number;
  live(text: string): void;
  /** Whether hidden characters in results are written out. */
  readonly reveal: boolean;
  /** Results of the same call that the conversation still shows, as text, newest first. Errors are left out. */
  earlier(tool: string, input: unknown): readonly string[];
}

/** The result of a call: text, or blocks if part of the result is an image. */
export type ToolResult = string | readonly BetaToolResultContentBlockParam[];

export interface Tool {
  readonly definition: BetaTool;
  /** Whether a call may change the tree, or shows that something else has. */
  readonly writes: boolean;
  /** Text for the model; throws `ToolError` with text for it, or a failure that ends the session. */
  call(input: unknown, context: ToolContext): Promise<ToolResult>;
}

interface ToolParts<S extends z.ZodType> {
  readonly name: string;
  readonly description: string;
  readonly input: S;
  readonly writes?: boolean;
  /** e.g. `edit src/stack.js`, for people. */
  live?(input: z.output<S>): string;
  run(input: z.output<S>, context: ToolContext): Promise<ToolResult>;
}

const FAULT_LENGTH = 2_000;
const clean = withoutSecrets();
const NO_JSON =
  'your arguments are not valid JSON, so the tool was not called. Call it again with one JSON object that has the keys of its schema.';
const NOT_THE_SECRET =
  'this holds [secret: …], which replaces a secret that you were not shown: change what is around it, and leave that place as it is';

export function defineTool<S extends z.ZodType>(parts: ToolParts<S>): Tool {
  const { name, description, input, writes = false } = parts;
  return {
    definition: { name, description, input_schema: inputSchema(input) },
    writes,
    async call(raw, context) {
      if (areInvalid(raw)) throw new ToolError(`${name}: ${NO_JSON}`);
      const parsed = input.safeParse(raw);
      if (!parsed.success) throw new ToolError(`${name}: ${faultText(parsed.error)}${knownKeys(parsed.error, input)}`);
      context.live(parts.live?.(parsed.data) ?? name);
      return parts.run(parsed.data, context);
    },
  };
}

/** Names the keys of a tool's input if the call has another one. */
function knownKeys(error: z.ZodError, input: z.ZodType): string {
  const isUnknown = error.issues.some(({ code, path }) => code === 'unrecognized_keys' && path.length === 0);
  return isUnknown && input instanceof z.ZodObject ? `\nIts keys are: ${Object.keys(input.shape).join(', ')}.` : '';
}

/** Describes the faults of an input for the model. */
export function faultText(error: z.ZodError): string {
  return headOnly(`invalid input\n${z.prettifyError(error)}`, FAULT_LENGTH);
}

/** Failures of a port that are news for the model; any other one ends the session. */
const TOLD: readonly ErrorCode[] = ['USAGE', 'INVALID_INPUT', 'NOT_FOUND', 'NOT_PERMITTED'];

/**
 * The tools in the form of the SDK's runner. The runner converts every error to text for the model, so `failed` receives
 * failures.
 */
export function runnable(
  tools: readonly Tool[],
  context: ToolContext,
  failed: (thrown: unknown) => void,
): BetaRunnableTool[] {
  const inTurn = oneByOne();
  return tools.map((tool) => ({
    ...tool.definition,
    parse: (input: unknown) => input,
    run: (input: unknown, of?: BetaToolRunContext) =>
      inTurn(() => callOne(tool, input, { ...context, callId: of?.toolUse.id ?? '' }, failed)),
  }));
}

type Given = string | BetaToolResultContentBlockParam[];

async function callOne(
  tool: Tool,
  input: unknown,
  context: ToolContext,
  failed: (thrown: unknown) => void,
): Promise<Given> {
  const shown = (text: string): string => (context.reveal ? visibleText(clean(text)) : clean(text));
  let told: string;
  try {
    context.signal.throwIfAborted();
    if (tool.writes && holdsPlaceholder(JSON.stringify(input))) throw new ToolError(NOT_THE_SECRET);
    const result = await tool.call(input, context);
    if (typeof result === 'string') return shown(result);
    return result.map((block) => (block.type === 'text' ? { ...block, text: shown(block.text) } : block));
  } catch (thrown) {
    const text = newsForModel(thrown, context.signal);
    if (text === null) {
      failed(thrown);
      throw thrown;
    }
    told = text;
  }
  throw new ToolError(shown(told));
}

/** Returns null if the model could not act on the error. */
function newsForModel(thrown: unknown, signal: AbortSignal): string | null {
  if (signal.aborted) return null;
  if (thrown instanceof AutonomousError) return TOLD.includes(thrown.code) ? thrown.message : null;
  return messageOf(thrown);
}

/** Bounds and values that a model assumes without being shown them. The check of a call keeps them. */
const SELF_EVIDENT = ['minLength', 'minItems', 'minimum', 'default'] as const;
const NOTHING = ['0', '1', '""', '[]'];

/** A small JSON schema that every server of the Messages API takes. */
function inputSchema(input: z.ZodType): BetaTool.InputSchema {
  const schema = z.toJSONSchema(input, {
    io: 'input',
    override: ({ jsonSchema }) => {
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      for (const bound of SELF_EVIDENT)
        if (NOTHING.includes(JSON.stringify(jsonSchema[bound]))) delete jsonSchema[bound];
    },
  });
  const { $schema: _, ...rest } = schema;
  return rest as BetaTool.InputSchema;
}
