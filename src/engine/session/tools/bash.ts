/** The tool `bash`: runs a command in the sandbox and returns both ends of its output. */
import { ToolError } from '@anthropic-ai/sdk/lib/tools/ToolError';
import { z } from 'zod';
import { withoutSecrets } from '../../../core/guard/secrets.ts';
import type { KeptOutput, SessionCommands } from '../ports.ts';
import { headAndTail, plainOutput } from '../text.ts';
import { defineTool } from './tool.ts';

type Ran = Awaited<ReturnType<SessionCommands['run']>>;

const MAX_CHARACTERS = 16_000;
/** Before the middle goes: half a secret looks like none. */
const clean = withoutSecrets();
const DEFAULT_SECONDS = 120;
const MAX_SECONDS = 600;

export const bash = defineTool({
  name: 'bash',
  description:
    'Run a command by bash (by sh if bash is not installed) in the working directory. Each call is a fresh shell; what it starts is ended with it, unless run_in_background is set. $TMPDIR is a scratch folder that lasts for the session. Of long output the start and the end are shown, and a file with the whole output is named.',
  input: z.object({
    command: z.string().min(1),
    timeout_seconds: z.int().min(1).max(MAX_SECONDS).optional().describe(`Default ${DEFAULT_SECONDS}`),
    run_in_background: z
      .boolean()
      .optional()
      .describe('For servers: returns an id for bash_output at once; later commands reach its ports on 127.0.0.1'),
  }),
  writes: true,
  live: ({ command, run_in_background = false }) =>
    `bash${run_in_background ? ' (background)' : ''}: ${command.split('\n', 1)[0] ?? ''}`,
  async run({ command, timeout_seconds = DEFAULT_SECONDS, run_in_background = false }, { commands, signal, msLeft }) {
    if (run_in_background) return started(commands, command);
    const left = msLeft();
    const timeoutMs = Math.max(1, Math.min(timeout_seconds * 1_000, left));
    const result = await commands.run(command, { timeoutMs, keepOver: MAX_CHARACTERS, signal });
    const { output, kept, notes = [] } = result;
    return shownOutput(output, kept, [outcome(result, timeoutMs, timeoutMs === left), ...notes]);
  },
});

async function started({ background }: SessionCommands, command: string): Promise<string> {
  if (background === undefined) throw new ToolError('bash: no command can run in the background here');
  const result = await background.start(command);
  if ('refused' in result) throw new ToolError(`bash: not started: ${result.refused}`);
  const unreachable = result.sharesNetwork ? '' : ' Later commands cannot reach its ports on this machine.';
  return `Started as background command ${result.id}. bash_output shows what it prints, and stops it; it ends with this attempt.${unreachable}`;
}

/** Both ends of an output, then notes, one per line. If a part is omitted, the file with the whole output is named. */
export function shownOutput(
  output: string,
  kept: KeptOutput | undefined,
  [status = '', ...notes]: readonly string[],
): string {
  const whole = clean(plainOutput(output)).trimEnd();
  const where = kept === undefined || whole.length <= MAX_CHARACTERS ? [] : [placeOf(kept)];
  const lines = [status, ...where, ...notes].map((note) => `[${note}]`);
  return [whole === '' ? '(no output)' : headAndTail(whole, MAX_CHARACTERS), ...lines].join('\n');
}

function placeOf({ path, bytes, isWhole }: KeptOutput): string {
  const what = isWhole ? `all ${bytes} bytes of the output` : `the beginning of the output, which had ${bytes} bytes,`;
  return `${what} ${isWhole ? 'are' : 'is'} in ${path}: read it in parts, or search it by a command`;
}

const STOPPED: Readonly<Record<string, string>> = {
  output: 'stopped: it printed more than a command may',
  processes: 'stopped: it started more processes than a command may',
  failed_to_start: 'it did not start',
};

function outcome({ exitCode, ended }: Ran, timeoutMs: number, isAttemptsEnd: boolean): string {
  if (ended === null) return exitCode === null ? 'no exit code' : `exit code ${exitCode}`;
  if (ended !== 'timeout') return STOPPED[ended] ?? ended;
  const after = `stopped after ${Math.round(timeoutMs / 1_000)} s`;
  return isAttemptsEnd
    ? `${after}: the time of this attempt is used up`
    : `${after}, its time limit; timeout_seconds may be up to ${MAX_SECONDS}`;
}
