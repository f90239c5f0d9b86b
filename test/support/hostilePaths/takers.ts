/** Whoever takes a path from a model, an agent, a repository or a page, as a function of that path. */
import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { cloneFiles } from '../../../src/adapters/acp/cloneFiles.ts';
import { openArtifacts } from '../../../src/adapters/files/artifacts.ts';
import { nodeFiles } from '../../../src/adapters/files/files.ts';
import { memoryFiles } from '../../../src/adapters/files/memoryFiles.ts';
import { openProjectFiles } from '../../../src/adapters/files/projectFiles.ts';
import { skillFiles } from '../../../src/adapters/files/skillFiles.ts';
import { templateFiles } from '../../../src/adapters/files/templateFiles.ts';
import { memoryStore } from '../../../src/engine/project/memory/memory.ts';
import { useSkill } from '../../../src/engine/project/memory/skills.ts';
import type { OpenTree, ProjectTools } from '../../../src/engine/session/ports.ts';
import { roleTools } from '../../../src/engine/session/tools/roleTools.ts';
import type { ToolContext } from '../../../src/engine/session/tools/tool.ts';
import { templateText } from '../../../src/engine/task/text/templates.ts';
import { type LinkedTree, MARKS } from './linkedTree.ts';

export interface PathTaker {
  readonly name: string;
  /** Of the program judged: what it showed; a refusal is thrown. */
  take(path: string): Promise<string>;
  /** Marks that must not be in what it shows. */
  readonly hidden: readonly string[];
  /** Starts a program or a thread for each path. */
  readonly slow: boolean;
  /** Entries of the tree that would refuse everything else. */
  readonly without: readonly string[];
}

type Take = PathTaker['take'];

/** To a memory: it would be full. */
const FULL = { without: ['sparse'] };

const taker = (name: string, take: Take, more: Partial<PathTaker> = {}): PathTaker => ({
  name,
  take,
  hidden: [MARKS.outside, MARKS.state],
  slow: false,
  without: [],
  ...more,
});

type Caller = (name: string, input: (path: string) => object) => Take;

/** Calls of the tools of our own agent; `project`: of a project, which sees the workspace itself. */
function caller(root: string, openTree: OpenTree, project: ProjectTools | null): Caller {
  const shown: string[] = [];
  const context = contextOf(root, openTree, project, shown);
  const tools = roleTools(project === null ? 'worker' : 'project');
  return (name, input) => {
    const tool = tools.find(({ definition }) => definition.name === name);
    if (tool === undefined) throw new Error(`there is no tool ${name}`);
    return async (path) => {
      shown.length = 0;
      const result = await tool.call(input(path), context);
      const text = typeof result === 'string' ? result : JSON.stringify(result);
      return [text, ...shown].join('\n');
    };
  };
}

const EDIT = { old_string: 'old', new_string: 'new', replace_all: true };

/** Of a worker in its clone, one file at a time. */
function fileTools(root: string, openTree: OpenTree): PathTaker[] {
  const call = caller(root, openTree, null);
  return [
    taker(
      'read',
      call('read', (file_path) => ({ file_path })),
    ),
    taker(
      'read lines',
      call('read', (file_path) => ({ file_path, offset: 1, limit: 2 })),
    ),
    taker(
      'write',
      call('write', (file_path) => ({ file_path, content: 'new\n' })),
    ),
    taker(
      'edit',
      call('edit', (file_path) => ({ file_path, ...EDIT })),
    ),
    taker(
      'note',
      call('note', (file) => ({ scope: 'global', content: 'x', file, line: 1 })),
    ),
  ];
}

function searchTools(root: string, openTree: OpenTree): PathTaker[] {
  const call = caller(root, openTree, null);
  return [
    taker(
      'glob in',
      call('glob', (path) => ({ pattern: '*', path })),
      { slow: true },
    ),
    taker(
      'glob',
      call('glob', (pattern) => ({ pattern })),
      { slow: true },
    ),
    taker(
      'grep in',
      call('grep', (path) => ({ pattern: '.', path })),
      { slow: true },
    ),
  ];
}

/** Of a project: it reads the workspace, and has a memory and skills. */
function projectTakers(world: LinkedTree, root: string, openTree: OpenTree): PathTaker[] {
  const call = caller(root, openTree, projectTools(world));
  const project = { hidden: Object.values(MARKS) };
  const memory = (command: string, more: object = {}): PathTaker =>
    taker(
      `memory ${command}`,
      call('memory', (path) => ({ command, path: `/memories/${path}`, ...more })),
      FULL,
    );
  const renamed = (path: string) => ({ command: 'rename', old_path: '/memories/a.md', new_path: `/memories/${path}` });
  return [
    taker(
      'read of a project',
      call('read', (file_path) => ({ file_path })),
      project,
    ),
    taker(
      'grep of a project',
      call('grep', (path) => ({ pattern: '.', path })),
      { ...project, slow: true },
    ),
    memory('view'),
    memory('create', { file_text: 'new' }),
    memory('str_replace', { old_str: 'old', new_str: 'new' }),
    memory('insert', { insert_line: 0, insert_text: 'new' }),
    memory('delete'),
    taker('memory rename', call('memory', renamed), FULL),
    taker(
      'skill',
      call('use_skill', (name) => ({ name })),
    ),
    taker(
      'file of a skill',
      call('use_skill', (file) => ({ name: 'good', file })),
    ),
  ];
}

function contextOf(root: string, openTree: OpenTree, project: ProjectTools | null, shown: string[]): ToolContext {
  return {
    workdir: root,
    files: openTree(root),
    scratchFile: () => null,
    project,
    commands: { run: () => Promise.reject(new Error('nothing is run')) },
    sessionTools: {
      addNote: async ({ file, anchor }) => {
        shown.push(anchor ?? '');
        if (file?.startsWith('/') === true || file?.split('/').includes('..') === true)
          throw new Error(`kept as ${file}`);
        return { ok: true, text: '' };
      },
      notes: async () => '',
    },
    callId: 'call',
    signal: new AbortController().signal,
    msLeft: () => 60_000,
    live: () => undefined,
    reveal: false,
    earlier: () => [],
  };
}

/** Its memory and its skills lie in the tree: their folders hold the same links. */
function projectTools({ tree }: LinkedTree): ProjectTools {
  const skills = skillFiles([tree]);
  const never = () => Promise.reject(new Error('nothing of this is asked'));
  return {
    memory: memoryStore(memoryFiles(tree, nodeFiles)),
    useSkill: (name, file) => useSkill(skills, name, file),
    ...{
      notify: never,
      spawnSubagent: never,
      submitBrief: never,
      jobStatus: never,
      steerJob: never,
      recall: never,
      taskTool: never,
      mainTool: never,
    },
  };
}

/** What an agent of the user's own asks over its protocol. */
function foreignAgents(root: string, openTree: OpenTree): PathTaker[] {
  const files = openTree(root);
  const clone = cloneFiles(files, true);
  const write = async (path: string): Promise<string> => {
    await clone.write(path, 'new\n');
    return '';
  };
  return [
    taker('ACP read', (path) => clone.read(path, null, null)),
    taker('ACP read lines', (path) => clone.read(path, 1, 2)),
    taker('ACP write', write),
    taker('ACP permission', async (path) => {
      const way = await files.wayInto(path, [root]);
      if (way === null) return '';
      const real = realpathIf(resolve(root, path));
      if (real !== null && real !== realpathSync(root) && !real.startsWith(`${realpathSync(root)}/`))
        return MARKS.outside;
      return way.split('/').includes('..') ? MARKS.outside : '';
    }),
  ];
}

function realpathIf(path: string): string | null {
  try {
    return realpathSync(path);
  } catch (thrown) {
    if (thrown instanceof Error && 'code' in thrown) return null;
    throw thrown;
  }
}

/** Names that become files of our state. */
function statePlaces({ tree }: LinkedTree): PathTaker[] {
  const templates = templateFiles(tree, nodeFiles, { ending: '.txt', maxBytes: 100_000 });
  const artifacts = openArtifacts(tree, nodeFiles);
  const projects = openProjectFiles({ projectsDir: tree, ops: nodeFiles, maxBytes: 100_000 });
  const shown = (bytes: Uint8Array | undefined): string => Buffer.from(bytes ?? []).toString();
  return [
    taker('template', async (name) => shown((await templates.read(name))?.bytes)),
    taker('template of a task', (name) => templateText([{ origin: 'user', ...templates }], name)),
    taker('artifact', async (name) => (await artifacts.get(name)) ?? ''),
    taker('removed artifact', (name) => artifacts.remove(name).then(() => '')),
    taker('project', async (name) => JSON.stringify(await projects.look(name))),
  ];
}

/** Those that read and write a tree which others may change at the same time. */
export function takersOfTree(root: string, openTree: OpenTree): readonly PathTaker[] {
  return [...fileTools(root, openTree), ...foreignAgents(root, openTree)];
}

export function takersOf(world: LinkedTree, root: string, openTree: OpenTree): readonly PathTaker[] {
  return [
    ...takersOfTree(root, openTree),
    ...searchTools(root, openTree),
    ...projectTakers(world, root, openTree),
    ...statePlaces(world),
  ];
}
