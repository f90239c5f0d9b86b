import { expect, it } from 'vitest';
import { z } from 'zod';
import { defineTool, type ToolContext } from '../../../../../src/engine/session/tools/tool.ts';

it('names the keys of a tool whose call has another one', async () => {
  const input = z.strictObject({ text: z.string(), relay: z.boolean().optional() });
  const tool = defineTool({ name: 'say', description: '', input, run: async () => '' });
  const call = tool.call({ text: 'x', content: 'x' }, {} as ToolContext);
  await expect(call).rejects.toThrow(/Unrecognized key: "content"\nIts keys are: text, relay\.$/);
});
