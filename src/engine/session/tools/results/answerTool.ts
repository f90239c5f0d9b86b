/** Tools that hand in a session's answer. A call does nothing: `answers.ts` judges it when the whole round has run. */
import { z } from 'zod';
import { defineTool, type Tool } from '../tool.ts';

export function answerTool(name: string, description: string, schema: z.ZodType): Tool {
  const { definition } = defineTool({ name, description, input: schema, run: async () => '' });
  const taken = defineTool({ name, description, input: z.unknown(), run: async () => 'Received.' });
  return {
    definition: { ...definition, input_schema: withoutRowIds(definition.input_schema) },
    writes: false,
    call: taken.call,
  };
}

/** `id` names a row that the steward edits; a model has none to name. */
function withoutRowIds<T>(schema: T): T {
  return JSON.parse(JSON.stringify(schema, (key, value: unknown) => (isRowId(key, value) ? undefined : value))) as T;
}

function isRowId(key: string, value: unknown): boolean {
  return key === 'id' && typeof value === 'object' && value !== null && 'type' in value && value.type === 'integer';
}
