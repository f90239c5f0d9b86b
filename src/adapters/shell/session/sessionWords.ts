/**
 * Offers a session's tools as verbs of its script: each by name with a JSON argument, the report also in plain words.
 */
import type { OurTool } from '../../../engine/agent/ports.ts';
import { messageOf } from '../../../shared/errors.ts';
import type { SpoolHandler, SpoolReply } from './spool.ts';

/** Limit of a tool's input, in bytes. */
const MAX_INPUT_BYTES = 1 << 20;
const OUTCOMES = ['done', 'stuck', 'blocked'];
/** Exit code of words that no verb understands. */
const USAGE = 2;

const done = (stdout: string): SpoolReply => ({ exitCode: 0, stdout: `${stdout}\n`, stderr: '' });
const refused = (why: string, exitCode = USAGE): SpoolReply => ({
  exitCode,
  stdout: '',
  stderr: `autonomous: ${why}\n`,
});

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? '';
}

function usage(tools: readonly OurTool[]): string {
  return [
    'This is how you talk to the engine that runs your session.',
    '',
    '  autonomous status ID pending|in_progress    give your feature back, or say that you are at it',
    '  autonomous note ID "text"                   keep something for later sessions (--global instead of ID: for all)',
    '      [--file PATH [--line NUMBER]]           the place in the code that the note is about',
    '  autonomous notes [ID]                       what earlier sessions kept',
    ...(tools.some((tool) => tool.name === 'report')
      ? [
          '  autonomous report done "summary" ["reason"]             end your work, once; the reason: why no file had to change',
          '  autonomous report stuck|blocked "summary" ["question"]  end it with a question for the steward',
        ]
      : []),
    ...tools.map((tool) => `  autonomous ${tool.name} '{…}'    ${firstLine(tool.description)}`),
    '',
    "An argument in braces is a JSON object. Long ones go through stdin:  autonomous NAME - <<'END'",
    'autonomous help NAME prints the form of one. autonomous mcp offers all of these as an MCP server over stdio.',
  ].join('\n');
}

function form(tool: OurTool): string {
  return [
    tool.description,
    'Its argument is a JSON object of this schema:',
    JSON.stringify(tool.inputSchema, null, 2),
  ].join('\n');
}

/** The input of a tool, or the reason why the text is invalid. */
function inputOf(name: string, text: string): { readonly input: unknown } | string {
  if (Buffer.byteLength(text) > MAX_INPUT_BYTES) return `what is given to ${name} may have ${MAX_INPUT_BYTES} bytes`;
  try {
    const input: unknown = JSON.parse(text);
    if (typeof input === 'object' && input !== null && !Array.isArray(input)) return { input };
    return `${name} takes a JSON object`;
  } catch (thrown) {
    return `${name} takes a JSON object; the text is not one: ${messageOf(thrown)}`;
  }
}

async function call(tool: OurTool, text: string): Promise<SpoolReply> {
  const given = inputOf(tool.name, text);
  if (typeof given === 'string') return refused(`${given}. See: autonomous help ${tool.name}`);
  const told = await tool.call(given.input);
  return told.ok ? done(told.text) : { exitCode: 1, stdout: '', stderr: `${told.text}\n` };
}

/** `otherwise` handles all words that are not the name of one of these tools. */
export function sessionWords(tools: readonly OurTool[], otherwise: SpoolHandler): SpoolHandler {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  return async (argv) => {
    const [verb, first, second, third] = argv;
    if (verb === undefined || verb === '--help' || (verb === 'help' && first === undefined)) return done(usage(tools));
    if (verb === 'help') {
      const asked = byName.get(first ?? '');
      return asked === undefined ? done(usage(tools)) : done(form(asked));
    }
    const tool = byName.get(verb);
    // `note` and `notes` are also separate words.
    if (tool !== undefined && argv.length === 2 && first?.trimStart().startsWith('{')) return call(tool, first);
    if (verb === 'report' && tool !== undefined && OUTCOMES.includes(first ?? '') && argv.length <= 4) {
      const detail = first === 'done' ? 'no_change_reason' : 'question';
      const input = { outcome: first, summary: second ?? '', ...(third === undefined ? {} : { [detail]: third }) };
      return call(tool, JSON.stringify(input));
    }
    if (['status', 'note', 'notes'].includes(verb)) return otherwise(argv);
    if (tool === undefined) return refused(`there is no ${verb} here\n${usage(tools)}`);
    return tool.name === 'report'
      ? refused('report done "summary" ["reason"], report stuck|blocked "summary" ["question"], or one JSON object')
      : refused(`${verb} takes one JSON object. See: autonomous help ${verb}`);
  };
}
