/** Where texts end up, each on its real parts: what of them is there afterwards. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../../../src/adapters/clock.ts';
import { nodeFiles } from '../../../src/adapters/files/files.ts';
import { openTranscript } from '../../../src/adapters/files/transcripts.ts';
import { errorBody, refusalOf } from '../../../src/adapters/http/errors.ts';
import { lineSeal } from '../../../src/adapters/log/seal.ts';
import { ownState } from '../../../src/app/open/store.ts';
import type { WithoutSecrets } from '../../../src/core/guard/secrets.ts';
import { panelMaker } from '../../../src/core/workspace/panel.ts';
import { Journal } from '../../../src/engine/agent/observed/journal.ts';
import { runnable, type Tool } from '../../../src/engine/session/tools/tool.ts';
import { Problems } from '../../../src/engine/state/problems.ts';
import { failure } from '../../../src/shared/errors.ts';
import { NO_LOOK } from '../../../src/shared/workspace/panel.ts';
import { runTerminal } from '../../../src/terminal/runTerminal.ts';
import { definitionOf, message } from '../../support/golden/drafts.ts';
import { WASM_FILE } from '../../support/process/testPrograms.ts';
import { workspacePathsOf } from '../../support/state/testPaths.ts';

/** Of all files below a folder, as bytes. */
export function allText(folder: string, except: (path: string) => boolean = () => false): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !except(path))
    .map((path) => readFileSync(path, 'latin1'))
    .join('\n');
}

export type Sink = (texts: readonly string[], clean: WithoutSecrets, tempRoot: string) => Promise<string>;

/** The log, the database, the page's snapshot, and what is told of an event. */
const store: Sink = async (texts, clean, tempRoot) => {
  const root = mkdtempSync(join(tempRoot, 'secrets-'));
  try {
    const places = workspacePathsOf(root, root);
    const given = { places, clock: systemClock(), wasmFile: WASM_FILE, version: 'test', isShipped: async () => false };
    const opened = await ownState({ ...given, clean });
    const heard: unknown[] = [];
    opened.subscribe((event) => heard.push(event));
    const project = { id: 'research', model: 'm', workdir: null, definition: definitionOf() };
    await opened.commit({ type: 'project_created', project, by: 'main' });
    const sent = texts.map((text, at) => {
      const said = message(at + 1, { project_id: 'research', direction: 'in', sender: 'steward', text });
      return opened.commit({ type: 'message_sent', message: said });
    });
    await Promise.all(sent);
    const look = { ...NO_LOOK, conversation: 'research', messages: 10_000 };
    const view = panelMaker().view(opened.state, '2026-11-22', { banner: null, mode: 'owner' }, look, 0);
    await opened.close();
    return [
      JSON.stringify(heard),
      heard.map((event) => (event as { message?: { text: string } }).message?.text),
      JSON.stringify(view),
      allText(root),
    ]
      .flat()
      .join('\n');
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
};

/** The journal of another agent's session, which holds what it read and said. */
const transcript: Sink = async (texts, _clean, tempRoot) => {
  const stateDir = mkdtempSync(join(tempRoot, 'transcript-'));
  try {
    const seal = lineSeal(new Uint8Array(32), 'transcript');
    const file = await openTranscript({ stateDir, sessionId: 1, epoch: 1, ops: nodeFiles, seal });
    const journal = new Journal(file);
    for (const text of texts) {
      const content = [
        { type: 'text', text },
        { type: 'tool_use', id: 'a', name: 'read', input: { path: text } },
      ];
      await journal.append({ kind: 'reply', message: { role: 'assistant', content } });
      const result = { type: 'tool_result', tool_use_id: 'a', content: text };
      await journal.append({ kind: 'results', message: { role: 'user', content: [result] }, checkpoint: null });
    }
    const kept = JSON.stringify(journal.told);
    await file.close();
    return `${kept}\n${allText(stateDir)}`;
  } finally {
    rmSync(stateDir, { recursive: true, force: true });
  }
};

/** What a tool gives to the model, and what it says where it fails. */
const tools: Sink = async (texts) => {
  let given = '';
  let fails = false;
  const tool: Tool = {
    definition: { name: 'look', description: 'Looks.', input_schema: { type: 'object' } },
    writes: false,
    call: async () => {
      if (fails) throw failure('INVALID_INPUT', given);
      return given;
    },
  };
  const context = { signal: new AbortController().signal, reveal: true, live: () => undefined, msLeft: () => 1_000 };
  const [run] = runnable([tool], context as never, () => undefined);
  if (run === undefined) throw new Error('there is no tool');
  const said: string[] = [];
  for (const text of texts) {
    given = text;
    for (fails of [false, true]) said.push(await Promise.resolve(run.run({})).then(String, String));
  }
  return said.join('\n');
};

/** Failures as the terminal, the API and whoever follows are told of them. */
const failures: Sink = async (texts, clean) => {
  const said: string[] = [];
  const problems = new Problems((text) => said.push(text), clean);
  const io = { out: (text: string) => void said.push(text), err: (text: string) => void said.push(text) };
  for (const text of texts) {
    const failed = failure('INVALID_INPUT', text, { hint: text });
    problems.add(text);
    said.push(JSON.stringify(errorBody(refusalOf(failed))));
    await runTerminal(['no-such-verb', text, '--json'], { io, program: 'autonomous' } as never);
  }
  return said.join('\n');
};

/** Whose texts only the owner knows to be secret, and those that know vendors' marks alone. */
export const OWNERS: Readonly<Record<string, Sink>> = { 'log, database, snapshot, events': store };
export const ANYBODYS: Readonly<Record<string, Sink>> = {
  transcript,
  'tools, to the model': tools,
  'failures in terminal, API and window': failures,
};
