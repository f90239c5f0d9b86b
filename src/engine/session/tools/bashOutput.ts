/** The tool `bash_output`: reads the output of a background command, or ends it. */
import { ToolError } from '@anthropic-ai/sdk/lib/tools/ToolError';
import { z } from 'zod';
import { shownOutput } from './bash.ts';
import { defineTool } from './tool.ts';

const MAX_WAIT_SECONDS = 60;

export const bashOutput = defineTool({
  name: 'bash_output',
  // A command in the background may have written since the last round.
  writes: true,
  description: 'Output of a background command since the last call, and whether it runs.',
  input: z.object({
    bash_id: z.int(),
    wait_seconds: z.int().min(0).max(MAX_WAIT_SECONDS).optional().describe('Wait so long for output'),
    stop: z.boolean().optional().describe('End it first'),
  }),
  live: ({ bash_id, stop }) => `${stop === true ? 'stop' : 'output of'} background command ${bash_id}`,
  async run({ bash_id: id, wait_seconds = 0, stop = false }, { commands, signal, msLeft }) {
    const waitMs = Math.max(0, Math.min(wait_seconds * 1_000, msLeft()));
    const look = (await commands.background?.look(id, { waitMs, stop, signal })) ?? null;
    if (look === null) throw new ToolError(`bash_output: there is no background command ${id} in this session`);
    const { output, kept, seconds, end } = look;
    if (end === null) return shownOutput(output, kept, [`it runs, for ${seconds} s so far`]);
    const { exitCode, ended, notes, why } = end;
    const how = why ?? (ended === null ? `exit code ${exitCode}` : ended === 'aborted' ? 'stopped' : ended);
    return shownOutput(output, kept, [`it ended: ${how}`, ...notes]);
  },
});
