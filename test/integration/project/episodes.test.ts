import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { nodeFiles } from '../../../src/adapters/files/files.ts';
import { memoryFiles } from '../../../src/adapters/files/memoryFiles.ts';
import { stoppedByProject } from '../../../src/core/job/jobStops.ts';
import { projectMessages } from '../../../src/core/state/rows.ts';
import { followEndedJobs } from '../../../src/engine/project/memory/episodes.ts';
import type { Store } from '../../../src/engine/state/store.ts';
import { addJob, JOB_OPTIONS, openMemoryStore } from '../../support/state/memoryStore.ts';
import { type StateFolder, stateFolder } from '../../support/state/stateFolder.ts';
import { FakeClock } from '../../support/time/fakeClock.ts';

const made: StateFolder[] = [];
afterEach(() => {
  for (const one of made.splice(0)) one[Symbol.dispose]();
});

async function workspace() {
  const state = stateFolder();
  made.push(state);
  const store = await openMemoryStore(new FakeClock());
  await store.commit({ type: 'project_created', project: { id: 'api', model: null, workdir: null } });
  const failures: unknown[] = [];
  const folder = (project: string) => join(state.root, project);
  const follow = () =>
    followEndedJobs({
      store,
      memoryOf: (project) => memoryFiles(folder(project), nodeFiles),
      failed: (thrown) => void failures.push(thrown),
    });
  const episodes = (project: string): string => readFileSync(join(folder(project), 'episodes', '2026-11.md'), 'utf8');
  return { store, follow, episodes, folder, failures };
}

async function file(store: Store, id: string, title: string): Promise<void> {
  const job = { id, project_id: 'api', title, brief: title, job_dir: `/jobs/${id}`, branch: `autonomous/${id}` };
  await store.commit({ type: 'brief_submitted', job: { ...job, options: JOB_OPTIONS } });
}

const cancel = (store: Store, id: string) =>
  store.commit({ type: 'job_cancelled', job_id: id, reason: 'not wanted any more', by: 'steward' });

const told = (store: Store, project: string): string[] => projectMessages(store.state, project).map(({ text }) => text);

describe('the end of a job', () => {
  it('is an episode in the memory of its project, and a message to it', async () => {
    const { store, follow, episodes } = await workspace();
    const following = follow();
    await file(store, 'job-1', 'Move to\nversion 2');
    await cancel(store, 'job-1');
    await following.settled();

    expect(episodes('api')).toBe(
      '# What happened in 2026-11\n\n## Move to version 2 (job job-1)\n\n- 2026-11-21 12:00: it was cancelled: not wanted any more\n- Asked: Move to version 2\n- Cost: $0.0000\n',
    );
    expect(projectMessages(store.state, 'api')).toMatchObject([{ direction: 'in', sender: 'engine' }]);
    expect(told(store, 'api')).toEqual([
      'Job job-1 is over ("Move to version 2"): it was cancelled: not wanted any more. The steward does not get this message: use notify if they should know.\n- Cost: $0.0000',
    ]);
    await following.close();
  });

  it('starts no turn if the project cancelled the job itself', async () => {
    const { store, follow } = await workspace();
    const following = follow();
    for (const id of ['job-1', 'job-2']) await file(store, id, 'Move to version 2');
    const reason = stoppedByProject('cancelled', 'api', 'no longer needed.');
    await store.commit({ type: 'job_cancelled', job_id: 'job-1', reason, by: 'agent' });
    await store.commit({ type: 'job_cancelled', job_id: 'job-2', reason: 'cancelled by you', by: 'steward' });
    await following.settled();
    expect(told(store, 'api')[0]).toBe(
      'Job job-1 is over ("Move to version 2"): it was cancelled by project api: no longer needed.\n- Cost: $0.0000',
    );
    const levels = projectMessages(store.state, 'api').map(({ level, text }) => [text.slice(0, 9), level]);
    expect(levels).toEqual([
      ['Job job-1', 'info'],
      ['Job job-2', null],
    ]);
    await following.close();
  });

  it('states what was asked, who cancelled it, and the cost once the last call is settled', async () => {
    const { store, follow, episodes } = await workspace();
    const following = follow();
    await file(store, 'job-1', 'Move to version 2');
    const about = { job_id: 'job-1', project_id: 'api', role: 'planner', model: 'claude-sonnet-5-5' } as const;
    await store.commit({ type: 'session_started', id: 1, ...about, phase_id: null, notes: [] });
    const call = { provider: 'simulated', model: 'claude-sonnet-5-5', day: '2026-11-21', price_version: '1' } as const;
    await store.commit({ type: 'call_reserved', id: 1, session_id: 1, ...call, micro_usd: 5_000_000 });
    await store.commit({ type: 'job_cancelled', job_id: 'job-1', reason: 'cancelled by you', by: 'steward' });
    await following.settled();
    expect(told(store, 'api')).toEqual([]);
    expect(following.passing).toEqual(['api']);
    const usage = { input: 1, output: 1, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0 };
    await store.commit({ type: 'call_settled', id: 1, usage, micro_usd: 20_000, tool_calls: 0 });
    expect(following.passing).toEqual(['api']);
    await following.settled();
    expect(following.passing).toEqual([]);

    const [message = ''] = told(store, 'api');
    expect(message).toMatch(/^Job job-1 is over \("Move to version 2"\): it was cancelled by the steward\.$/m);
    expect(episodes('api')).toContain('- Asked: Move to version 2\n');
    expect(message).not.toMatch(/Asked|notify/);
    for (const text of [message, episodes('api')]) {
      expect(text).toMatch(/- Cost: \$0\.0200$/m);
    }
    await following.close();
  });

  it('is written down of a month of many jobs, too: of the oldest the heading alone', async () => {
    const { store, follow, episodes, failures } = await workspace();
    const ids = Array.from({ length: 400 }, (_, index) => `job-${index + 1}`);
    for (const id of ids) {
      await file(store, id, `${id} ${'a'.repeat(80)}`);
      const reason = '# why '.repeat(150);
      await store.commit({ type: 'job_cancelled', job_id: id, reason, by: 'steward' });
    }
    for (let start = 0; start < 2; start++) {
      const following = follow();
      await following.settled();
      await following.close();
    }
    expect(failures).toEqual([]);
    const text = episodes('api');
    expect(ids.filter((id) => text.split(`(job ${id})`).length !== 2)).toEqual([]);
    expect(text).toMatch(/\(job job-1\)\n\n## /);
    expect(text).toMatch(/\(job job-400\)\n\n- .*: it was cancelled: # why/);
    await file(store, 'job-401', 'One more');
    await cancel(store, 'job-401');
    const following = follow();
    await following.settled();
    await following.close();
    expect(episodes('api')).toContain('## One more (job job-401)\n\n- ');
    expect(failures).toEqual([]);
  });

  it('is written and told once, whatever came between: nothing, the episode alone, or both', async () => {
    const { store, follow, episodes } = await workspace();
    for (const id of ['job-1', 'job-2']) {
      await file(store, id, `The brief of ${id}`);
      await cancel(store, id);
    }
    for (let start = 0; start < 3; start++) {
      const following = follow();
      await following.settled();
      await following.close();
    }
    expect(episodes('api').match(/^## .*$/gm)).toEqual([
      '## The brief of job-1 (job job-1)',
      '## The brief of job-2 (job job-2)',
    ]);
    expect(told(store, 'api')).toHaveLength(2);
  });

  it('is no message to the default project, unless somebody talked to it before', async () => {
    const { store, follow, episodes } = await workspace();
    const following = follow();
    await addJob(store, 'job-1');
    await cancel(store, 'job-1');
    await following.settled();
    expect(told(store, 'default')).toEqual([]);
    expect(episodes('default')).toContain('(job job-1)');
    await following.close();
  });

  it('that cannot be written is told of, and tried again by the next owner', async () => {
    const { store, follow, episodes, folder, failures } = await workspace();
    mkdirSync(folder('api'), { recursive: true });
    writeFileSync(join(folder('api'), 'episodes'), 'a file in the place of the folder');
    await file(store, 'job-1', 'Work');
    await cancel(store, 'job-1');
    const first = follow();
    await first.settled();
    await first.close();
    expect(failures).toMatchObject([{ code: 'INVALID_INPUT' }]);
    expect(told(store, 'api')).toHaveLength(1);

    await nodeFiles.remove(join(folder('api'), 'episodes'));
    const second = follow();
    await second.settled();
    await second.close();
    expect(readdirSync(folder('api'))).toEqual(['episodes']);
    expect(episodes('api')).toContain('(job job-1)');
    expect(told(store, 'api')).toHaveLength(1);
  });
});
