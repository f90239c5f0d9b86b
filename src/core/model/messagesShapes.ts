/** Shapes of a request of the Messages API that its translations into other protocols read. */
import { z } from 'zod';

export const Block = z.looseObject({ type: z.string() });
export type Block = z.infer<typeof Block>;
export const Content = z.union([z.string(), z.array(Block)]);

/** What every translation takes from a tool; its description differs in what it may be. */
export const ToolShape = z.looseObject({
  type: z.string().nullish(),
  name: z.string(),
  input_schema: z.looseObject({}).optional(),
});

/** What every translation takes from a body; the limit of the answer and the tools are its own. */
export const BodyShape = z.looseObject({
  model: z.string().min(1),
  stream: z.boolean().nullish(),
  system: Content.nullish(),
  messages: z.array(z.looseObject({ role: z.enum(['user', 'assistant']), content: Content })).min(1),
  tool_choice: z.looseObject({ type: z.string(), name: z.string().optional() }).nullish(),
});

export const Text = z.looseObject({ type: z.literal('text'), text: z.string() });
export const ToolUse = z.looseObject({
  type: z.literal('tool_use'),
  id: z.string(),
  name: z.string(),
  input: z.looseObject({}),
});
export const ToolResult = z.looseObject({
  type: z.literal('tool_result'),
  tool_use_id: z.string(),
  is_error: z.boolean().nullish(),
  content: Content.nullish(),
});
