/** When PROJECT.md is looked at around a request, and what is refused before a project begins. */
import { describe, expect, it } from 'vitest';
import type { EngineRequests } from '../../../../../src/engine/job/requests/ports.ts';
import type { FoundFile } from '../../../../../src/engine/project/definition/definitionPorts.ts';
import {
  aroundRequests,
  type DefinitionServicePorts,
  openDefinitions,
} from '../../../../../src/engine/project/definition/definitionService.ts';
import { failure } from '../../../../../src/shared/errors.ts';
import { emptyState, type State } from '../../../../../src/shared/workspace/state.ts';
import { openMemoryStore } from '../../../../support/state/memoryStore.ts';
import { FakeClock } from '../../../../support/time/fakeClock.ts';

describe('a request', () => {
  const state: State = emptyState();
  state.approvals.set(1, { id: 1, job_id: null, project_id: 'api' } as never);
  state.approvals.set(2, { id: 2, job_id: 'j1', project_id: 'api' } as never);

  it.each<[string, object, readonly string[]]>([
    ['sendMessage', { project: 'api' }, ['look api', 'sendMessage']],
    ['submitBrief', { project: 'api' }, ['look api', 'submitBrief']],
    ['defineProject', { project: 'api' }, ['look api', 'defineProject', 'look api']],
    ['resumeProject', { project: 'api' }, ['look api', 'resumeProject', 'look api']],
    ['createProject', { name: 'api' }, ['createProject', 'look api']],
    ['adoptProject', { name: 'api' }, ['adoptProject', 'look api']],
    ['archiveProject', { project: 'api' }, ['archiveProject', 'look api']],
    ['tryNow', { of: 'project', id: 'api' }, ['tryNow', 'look api']],
    ['decide', { approvalId: 1 }, ['decide', 'look api']],
    ['decide', { approvalId: 2 }, ['decide', 'look ']],
    ['cancelJob', { project: 'api' }, ['cancelJob']],
  ])('%s with %j: %j', async (name, input, order) => {
    const done: string[] = [];
    const requests = { [name]: async () => void done.push(name) } as unknown as EngineRequests;
    const around = aroundRequests(requests, { state }, async (project) => void done.push(`look ${project}`));
    await around[name as keyof EngineRequests](input as never);
    expect(done).toEqual(order);
  });

  it('that is refused changes nothing that is to be looked at', async () => {
    const done: string[] = [];
    const refuse = async () => Promise.reject(failure('NOT_PERMITTED', 'no'));
    const around = aroundRequests(
      { createProject: refuse } as unknown as EngineRequests,
      { state },
      async (project) => {
        done.push(project);
      },
    );
    await expect(around.createProject({ name: 'api' } as never)).rejects.toMatchObject({ code: 'NOT_PERMITTED' });
    expect(done).toEqual([]);
  });
});

const TEXT = '---\nname: api\n---\nA goal.\n';
/** A link in each path here leads from `/link` to `/real`. */
const THERE = new Set(['/', '/real', '/real/repo', '/real/home', '/real/config', '/other', '/real/jobs-to-be/one']);

async function definitions(parts: Partial<DefinitionServicePorts> & { readonly found?: FoundFile } = {}) {
  const { found = { kind: 'file', bytes: Buffer.from(TEXT) }, ...more } = parts;
  const checked: string[] = [];
  const ports: DefinitionServicePorts = {
    store: await openMemoryStore(new FakeClock()),
    clock: new FakeClock(),
    files: {
      names: async () => ['api'],
      probe: async () => found.kind,
      look: async () => found,
      noted: async () => null,
      note: async () => undefined,
      write: async () => undefined,
      keep: async () => '',
      watch: () => ({ follow: () => undefined, unfollow: () => undefined, close: () => undefined }),
    },
    templates: [],
    checkFolders: async (project) => void checked.push(project),
    workdirs: {
      realPath: async (path) => {
        const real = path.replace(/^\/link/, '/real');
        return THERE.has(real) ? real : null;
      },
      topOf: async (path) => path,
      isTop: async () => true,
    },
    places: {
      projectDir: '/link/repo',
      stateDir: '/link/repo/.autonomous',
      jobsDir: '/link/jobs-to-be',
      configDir: '/link/config',
    },
    home: () => '/link/home',
    problem: () => undefined,
    ...more,
  };
  return { ...openDefinitions(ports).requestPorts, checked };
}

describe('a folder that is taken over', () => {
  it('is checked for links once its text is one of a project', async () => {
    const good = await definitions();
    expect(await good.foundDefinition('api')).toMatchObject({ body: 'A goal.\n' });
    expect(good.checked).toEqual(['api']);
    const bad = await definitions({ found: { kind: 'no_file' } });
    await expect(bad.foundDefinition('api')).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    expect(bad.checked).toEqual([]);
  });

  it('is refused where a folder of it is a link', async () => {
    const checkFolders = async () => Promise.reject(failure('STATE_SYMLINK', 'a link'));
    const { foundDefinition } = await definitions({ checkFolders });
    await expect(foundDefinition('api')).rejects.toMatchObject({ code: 'STATE_SYMLINK' });
  });

  it('takes no name that lies there already', async () => {
    await expect((await definitions()).checkFree('api')).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    await expect((await definitions({ found: { kind: 'no_folder' } })).checkFree('api')).resolves.toBeUndefined();
  });
});

describe('a workdir', () => {
  it('is compared with the real places', async () => {
    const { checkWorkdir } = await definitions();
    expect(await checkWorkdir('/other')).toBe('/other');
    expect(await checkWorkdir('/real/repo')).toBeNull();
    await expect(checkWorkdir('/real/home')).rejects.toThrow(/it holds the home folder/);
    await expect(checkWorkdir('~')).rejects.toThrow(/it holds the home folder/);
    await expect(checkWorkdir('/real/config')).rejects.toThrow(/it overlaps the folder of Autonomous keys/);
  });

  it('does not lie where a folder would be that is not there yet', async () => {
    const { checkWorkdir } = await definitions();
    await expect(checkWorkdir('/real/jobs-to-be/one')).rejects.toThrow(/it overlaps the folder of job clones/);
  });
});
