/** `completion`, and the verb that its scripts ask. */
import type { Command } from 'commander';
import { type CommonOptions, type Context, makeContext, print } from '../../screen/context.ts';
import { oneOf } from '../../text/parse.ts';
import { visibleLine } from '../../text/visible.ts';
import { type Candidate, type Request, readRequest } from './request.ts';
import { FILES, FOLDERS, SCRIPTS, SHELLS, type Shell } from './scripts.ts';
import { type Known, VALUES } from './values.ts';

export function completionVerb(context: Context, name: string): number {
  const shell = oneOf(name, SHELLS, 'shell');
  print(context, { shell, script: SCRIPTS[shell] }, SCRIPTS[shell]);
  return 0;
}

/** Prints a candidate a line, with its description after a tab. */
export async function candidatesVerb(context: Context, program: Command, words: readonly string[]): Promise<number> {
  const [shell = '', ...line] = words;
  const { out } = context.deps.io;
  const joined = shell === 'bash' ? joinedWords(line) : line;
  const answer = await answered(context, readRequest(program, joined));
  if (typeof answer === 'string') out(`${answer}\n`);
  else
    for (const one of fitting(shell as Shell, joined.at(-1) ?? '', answer))
      out(`${one.word}\t${visibleLine(one.description)}\n`);
  return 0;
}

/** bash splits words at `=`: `--merge = pat` is `--merge=pat` here. */
function joinedWords(words: readonly string[]): string[] {
  const joined: string[] = [];
  for (const [at, word] of words.entries()) {
    const follows = word === '=' || words[at - 1] === '=';
    if (follows && joined.length > 0) joined.push(`${joined.pop()}${word}`);
    else joined.push(word);
  }
  return joined;
}

function fitting(shell: Shell, typed: string, all: readonly Candidate[]): Candidate[] {
  const fit = all.filter(({ word }) => word.startsWith(typed));
  if (shell !== 'bash') return fit;
  const behind = typed.lastIndexOf('=') + 1;
  return fit.map((one) => ({ ...one, word: one.word.slice(behind) }));
}

async function answered(
  context: Context,
  request: Request,
): Promise<readonly Candidate[] | typeof FILES | typeof FOLDERS> {
  const { candidates, value, before } = request;
  const values = value === null ? 'free' : (VALUES[value] ?? 'free');
  if (values === 'files') return candidates.length > 0 ? candidates : FILES;
  if (values === 'folders') return FOLDERS;
  if (values === 'free') return candidates;
  try {
    const found = await values(knownTo(context, request));
    return [...candidates, ...found.map((one) => ({ ...one, word: before + one.word }))];
  } catch (thrown) {
    // A shell has no place for an error: a folder without a readable state has no ids.
    if (thrown instanceof Error) return candidates;
    throw thrown;
  }
}

function knownTo({ deps, workspace }: Context, { given, verb, typed }: Request): Known {
  const options: CommonOptions = { projectDir: given.get('--project-dir') ?? workspace.place.folder };
  const named = makeContext(deps, options).workspace;
  return {
    verb,
    typed,
    state: async () => (await named.look()).state,
    agents: async () => (await named.agent.list()).agents.map(({ name }) => name),
    connections: async () => {
      const { connections, presets } = await named.model.list();
      const own = connections.map(({ connection }) => connection.name);
      return { own, presets: presets.map(({ name }) => name).filter((name) => !own.includes(name)) };
    },
    projectTemplates: () => named.project.templates(),
    taskTemplates: async () => (await (await named.taskTemplates()).list()).map(({ name }) => name),
  };
}
