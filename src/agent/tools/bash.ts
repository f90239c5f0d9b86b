import { z } from 'zod';
import { withoutSecrets } from '../../core/secrets.ts';
import { headAndTail, plainOutput } from '../text.ts';
import { defineTool } from './tool.ts';

const MAX_CHARACTERS = 16_000;
/** Before the middle goes: half a secret looks like none. */
const clean = withoutSecrets();
const DEFAULT_SECONDS = 120;
const MAX_SECONDS = 600;

export const bash = defineTool({
  name: 'bash',
  description:
    'Run a command by bash (by sh if bash is not installed) in the working directory. Each call is a fresh shell; what it starts in the background is ended with it. Long output loses its middle.',
  input: z.object({
    command: z.string().min(1),
    timeout_seconds: z.int().min(1).max(MAX_SECONDS).optional().describe(`Default ${DEFAULT_SECONDS}`),
  }),
  writes: true,
  live: ({ command }) => `bash: ${command.split('\n', 1)[0] ?? ''}`,
  async run({ command, timeout_seconds = DEFAULT_SECONDS }, { commands, signal, msLeft }) {
    const timeoutMs = Math.max(1, Math.min(timeout_seconds * 1_000, msLeft()));
    const { exitCode, ended, output, notes = [] } = await commands.run(command, { timeoutMs, signal });
    const text = headAndTail(clean(plainOutput(output)).trimEnd(), MAX_CHARACTERS);
    const status = [outcome(exitCode, ended, timeoutMs), ...notes].map((note) => `[${note}]`);
    return [text === '' ? '(no output)' : text, ...status].join('\n');
  },
});

function outcome(exitCode: number | null, ended: string | null, timeoutMs: number): string {
  const code = exitCode === null ? 'no exit code' : `exit code ${exitCode}`;
  if (ended === null) return code;
  if (ended === 'timeout') return `stopped after ${Math.round(timeoutMs / 1_000)} s, ${code}`;
  return `${ended}, ${code}`;
}
