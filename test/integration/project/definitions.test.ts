/** PROJECT.md in a real folder: what the owner writes, what a person does to it, and what the steward decides. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { waitsForTrust } from '../../../src/core/project/projectTrust.ts';
import type { RequestInput } from '../../../src/engine/state/api.ts';
import type { ApprovalKind, ApprovalRow } from '../../../src/shared/approval.ts';
import type { ProjectRow } from '../../../src/shared/project/projects.ts';
import { plainGit, writeFiles } from '../../support/git/gitFixture.ts';
import { EngineWorld } from '../../support/world/engineWorld.ts';

/** All tests share a workspace; each has a project of its own. */
let world: EngineWorld;
let api = '';

beforeAll(async () => {
  world = await EngineWorld.open({ owner: { work: false } });
});
afterAll(() => world[Symbol.asyncDispose]());
let tests = 0;
beforeEach(() => {
  tests += 1;
  api = `api-${tests}`;
});

const folder = (name = api, ...path: string[]): string => join(world.places.stateDir, 'projects', name, ...path);
const file = (name = api): string => folder(name, 'PROJECT.md');
const text = (name = api): string => readFileSync(file(name), 'utf8');
const project = (name = api): ProjectRow => {
  const found = world.state.projects.get(name);
  if (found === undefined) throw new Error(`there is no project ${name}`);
  return found;
};

async function create(input: Partial<RequestInput<'createProject'>> = {}): Promise<void> {
  await world.owner.request('createProject', { name: api, goal: 'One API.', ...input });
}

/** As an editor saves. */
function edit(change: (text: string) => string, name = api): void {
  const draft = `${file(name)}.tmp`;
  writeFiles(folder(name), { 'PROJECT.md.tmp': change(text(name)) });
  renameSync(draft, file(name));
}

const question = (kind: ApprovalKind, name = api): ApprovalRow | undefined =>
  [...world.state.approvals.values()].findLast(
    (row) => row.kind === kind && row.project_id === name && row.status === 'pending',
  );
const asked = (kind: ApprovalKind, name = api): Promise<ApprovalRow> =>
  world.until(`asked: ${kind}`, () => question(kind, name));
const decide = (approval: ApprovalRow, choice: string | null, decision: 'approved' | 'rejected' = 'approved') =>
  world.owner.request('decide', { approvalId: approval.id, decision, choice, feedback: 'so it is' });
const noteOf = (of: string): string =>
  Array(2).fill(createHash('sha256').update(of).digest('hex').slice(0, 32)).join(' ');
const said = (name = api): string[] =>
  [...world.state.messages.values()].filter((row) => row.project_id === name).map((row) => row.text);

/** Another repository with a commit. */
function repository(): string {
  const path = join(world.folder, `code-of-${api}`);
  mkdirSync(path);
  plainGit(path, ['init', '-q', '-b', 'main']);
  writeFiles(path, { 'a.txt': 'a\n' });
  plainGit(path, ['add', '-A']);
  plainGit(path, ['commit', '-q', '-m', 'Start']);
  return path;
}

describe('a project', () => {
  it('has its folders and a PROJECT.md that follows its life', async () => {
    await create({ limits: { dayMicroUsd: 2_500_000 } });
    expect(readdirSync(folder()).sort()).toEqual(['.PROJECT.md.note', 'PROJECT.md', 'memory', 'session', 'skills']);
    expect(text()).toContain(`name: ${api}\nstatus: active\n`);
    expect(text()).toContain('limits:\n  dayUsd: 2.5\n');
    expect(text()).toMatch(/\n---\n\n## Goal\n\nOne API\.\n$/);
    await world.owner.request('suspendProject', { project: api, reason: 'later' });
    expect(text()).toMatch(/\nstatus: suspended\n[\s\S]*\nsuspended: 20/);
    await world.owner.request('resumeProject', { project: api });
    await world.owner.request('completeProject', { project: api, reason: 'done' });
    await world.owner.request('archiveProject', { project: api });
    expect(text()).toMatch(/\nstatus: archived\n[\s\S]*\narchived: 20/);
  });

  it('begins with a template of its own folder, its model and limits', async () => {
    writeFiles(join(world.places.stateDir, 'templates'), {
      'mine.md':
        '---\nmodel: claude-haiku-5-5\nlimits: { dayUsd: 1 }\nworkdir: /\n---\n\n## Goal\n\n{goal}\n\n## Rules\n\nBe brief.\n',
    });
    await create({ template: 'mine' });
    expect(project()).toMatchObject({ model: 'claude-haiku-5-5', workdir: null, limits: { dayMicroUsd: 1_000_000 } });
    expect(text()).toContain('## Goal\n\nOne API.\n\n## Rules\n\nBe brief.\n');
    await expect(create({ name: 'b', template: 'none' })).rejects.toMatchObject({
      code: 'NOT_FOUND',
      hint: 'There are: dependency-upgrades, docs, migration, mine, test-coverage.',
    });
  });

  it('takes no folder that is somebody else’s, unless it is adopted', async () => {
    const found = '---\nname: found\nstatus: suspended\nmodel: claude-opus-5-5\n---\nA goal.\n';
    writeFiles(folder('found'), { 'PROJECT.md': found });
    await expect(create({ name: 'found' })).rejects.toMatchObject({ code: 'INVALID_INPUT', hint: /adopt found/ });
    expect(world.state.projects.has('found')).toBe(false);
    await world.owner.request('adoptProject', { name: 'found' });
    expect(project('found')).toMatchObject({ status: 'active', model: 'claude-opus-5-5', body: 'A goal.\n' });
    expect(text('found')).toContain('status: active');
    expect(said('found')).toEqual([]);
    await expect(world.owner.request('adoptProject', { name: 'nowhere' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

describe('the default project', () => {
  it('has no PROJECT.md unless somebody writes one or defines it', async () => {
    await world.owner.request('submitBrief', { brief: 'Build it.' });
    expect(existsSync(file('default'))).toBe(false);
    writeFiles(folder('default'), { 'PROJECT.md': '---\nname: default\n---\nWear a hat.\n' });
    await world.owner.request('submitBrief', { brief: 'Build more.' });
    await decide(await asked('definition', 'default'), 'take_over');
    expect(project('default').body).toBe('Wear a hat.\n');
    rmSync(file('default'));
    const rest = world.owner.request('submitBrief', { brief: 'Build the rest.' });
    await expect(rest).rejects.toThrow('PROJECT.md is gone; unpark the project');
    await world.owner.request('unparkProject', { project: 'default' });
    expect(text('default')).toContain('Wear a hat.');
  });
});

it('writes the first definition of a default project whose conversation has a folder', async () => {
  await using own = await EngineWorld.open({ owner: { work: false } });
  await own.owner.request('sendMessage', { project: 'default', text: 'hello' });
  const of = join(own.places.stateDir, 'projects', 'default');
  mkdirSync(join(of, 'session'), { recursive: true });
  await own.owner.request('defineProject', { project: 'default', body: 'Wear a hat.\n' });
  expect(readFileSync(join(of, 'PROJECT.md'), 'utf8')).toContain('Wear a hat.');
  expect(own.state.projects.get('default')?.parked).toBeNull();
});

describe('an edit by hand', () => {
  it('is asked about with its difference, and taken over when the steward says so', async () => {
    await create();
    edit((was) => was.replace('model: null', 'model: claude-opus-5-5\nlimits: { dayUsd: 7 }').replace('One', 'Two'));
    const approval = await asked('definition');
    expect(approval).toMatchObject({ job_id: null, project_id: api, choices: ['take_over', 'put_back'] });
    expect(approval.detail).toContain('-model: null\n+model: claude-opus-5-5\n+limits: { dayUsd: 7 }\n');
    expect(project()).toMatchObject({ model: null, parked: null });
    await decide(approval, 'take_over');
    expect(project()).toMatchObject({ model: 'claude-opus-5-5', limits: { dayMicroUsd: 7_000_000 } });
    expect(project().body).toContain('Two API.');
    expect(question('definition')).toBeUndefined();
  });

  it.each([
    ['put back', 'approved', 'put_back'],
    ['rejected', 'rejected', null],
  ] as const)('that is %s is kept beside the file', async (_, decision, choice) => {
    await create();
    const before = text();
    edit((was) => was.replace('One', 'Two'));
    const edited = text();
    await decide(await asked('definition'), choice, decision);
    expect(text()).toBe(before);
    const kept = readdirSync(folder()).find((name) => name.endsWith('.edited')) ?? '';
    expect(kept).toMatch(/^PROJECT\.md\.\d{8}-\d{6}\.edited$/);
    expect(readFileSync(folder(api, kept), 'utf8')).toBe(edited);
    // The same edit again is another question.
    edit(() => edited);
    expect((await asked('definition')).detail).toContain('+Two API.');
  });

  it('counts as it stands: a newer one is asked about anew, one taken back is no question any more', async () => {
    await create();
    const before = text();
    edit((was) => was.replace('One', 'Two'));
    const first = await asked('definition');
    edit((was) => was.replace('Two', 'Three'));
    const second = await world.until('asked anew', () => {
      const now = question('definition');
      return now !== undefined && now.id !== first.id && now;
    });
    expect(second.detail).toContain('+Three API.');
    expect(world.state.approvals.get(first.id)?.status).toBe('void');
    edit(() => before);
    await world.until('nothing is asked', () => question('definition') === undefined);
  });

  it('of the status or a date is put back, and says why', async () => {
    await create();
    const before = text();
    edit((was) =>
      was.replace('status: active', 'status: archived').replace('suspended: null', 'suspended: 2020-01-01'),
    );
    await world.until('it is said', () => said().some((words) => words.startsWith('The status and the dates')));
    expect(text()).toBe(before);
    expect(project().status).toBe('active');
  });

  it('of a project that is over is put back and kept beside it', async () => {
    await create();
    await world.owner.request('completeProject', { project: api });
    edit((was) => was.replace('One API', 'Two APIs'));
    await world.restart();
    await world.owner.request('archiveProject', { project: api });
    expect(text()).toMatch(/^status: archived$/m);
    expect(text()).not.toContain('Two APIs');
    const kept = readdirSync(folder()).filter((name) => name.endsWith('.edited'));
    expect(kept.map((name) => readFileSync(folder(api, name), 'utf8').includes('Two APIs'))).toEqual([true]);
    expect(project().body).toContain('One API');
    expect(question('definition')).toBeUndefined();
  });

  it('of words that say the same is left as it is', async () => {
    await create();
    edit((was) => was.replace('model: null', '# the usual one\nmodel:'));
    const edited = text();
    await world.owner.request('sendMessage', { project: api, text: 'hello' });
    expect(question('definition')).toBeUndefined();
    expect(text()).toBe(edited);
    await world.restart();
    await world.owner.request('sendMessage', { project: api, text: 'hello' });
    expect(text()).toBe(edited);
    // It is written when the project goes on, which is nobody's edit of the status.
    await world.owner.request('suspendProject', { project: api });
    expect(text()).toContain('status: suspended');
    expect(said()).toEqual(['hello', 'hello']);
  });

  it('that breaks it parks the project with the line, until it is mended', async () => {
    await create();
    const before = text();
    edit((was) => was.replace('model: null', 'model: &a x'));
    await world.until('it is parked', () => project().parked !== null);
    expect(project().parked).toBe(
      'PROJECT.md line 4: not taken here: an anchor of YAML; put a value that starts with & in quotes',
    );
    await expect(world.owner.request('submitBrief', { brief: 'x', project: api })).rejects.toThrow('PROJECT.md line 4');
    edit(() => before);
    await world.until('it runs again', () => project().parked === null);
  });

  it.each([
    ['another name', (was: string) => was.replace(`name: ${api}`, 'name: ap'), 'PROJECT.md line 2: name is ap, but'],
    ['ten megabytes', (was: string) => was + 'x'.repeat(10 * 1024 * 1024), 'PROJECT.md is over 256 KiB'],
    [
      'a workdir that is the root',
      (was: string) => was.replace('workdir: null', 'workdir: /'),
      'PROJECT.md line 5: the',
    ],
    ['no text', () => '\u0000', 'PROJECT.md line 1: '],
  ])('with %s parks it', async (_, change, parked) => {
    await create();
    edit(change);
    await world.until('it is parked', () => project().parked?.startsWith(parked));
  });

  it('is found at the next start, and what a kill left behind is no edit', async () => {
    await create();
    const stale = text();
    await world.close();
    edit((was) => was.replace('One', 'Two'));
    await world.restart();
    await decide(await asked('definition'), 'take_over');
    expect(project().body).toContain('Two');
    await world.owner.request('defineProject', { project: api, body: 'Three.\n' });
    const written = readFileSync(folder(api, '.PROJECT.md.note'), 'utf8');
    await world.close();
    // As if the owner was killed after the event, before the file.
    writeFiles(folder(), { 'PROJECT.md': stale, '.PROJECT.md.note': noteOf(stale) });
    await world.restart();
    // The note comes after the file.
    const note = (): string => readFileSync(folder(api, '.PROJECT.md.note'), 'utf8');
    await world.until('it is written', () => text().endsWith('Three.\n') && note() === written);
    expect(question('definition')).toBeUndefined();
  });
});

describe('a folder', () => {
  it('whose PROJECT.md is deleted parks the project, and unparking writes it anew', async () => {
    await create();
    const before = text();
    rmSync(file());
    await world.until('it is parked', () => project().parked !== null);
    expect(project().parked).toBe('PROJECT.md is gone; unpark the project to have it written again');
    await world.owner.request('unparkProject', { project: api });
    expect(project().parked).toBeNull();
    expect(text()).toBe(before);
  });

  it.each([
    ['', () => undefined],
    [
      ', also if a running conversation creates its part again',
      () => mkdirSync(folder(api, 'session'), { recursive: true }),
    ],
  ])('that is deleted whole, conversation and all, is told of%s', async (_, meanwhile) => {
    await create();
    await create({ name: `${api}-other` });
    await world.owner.request('sendMessage', { project: api, text: 'hello' });
    rmSync(folder(), { recursive: true, maxRetries: 3 });
    meanwhile();
    await world.until('it is parked', () => project().parked !== null);
    expect(project().parked).toContain('is gone with its folder: conversation, memory and skills');
    expect(project(`${api}-other`).parked).toBeNull();
    await world.owner.request('unparkProject', { project: api });
    expect(project().parked).toBeNull();
    expect(said()).toEqual(['hello', expect.stringContaining('its conversation, memory and skills are lost')]);
    edit((was) => was.replace('One', 'Two'));
    await asked('definition');
  });

  it('that a link takes the place of is never written into', async () => {
    await create();
    const elsewhere = join(world.folder, 'elsewhere');
    renameSync(folder(), elsewhere);
    symlinkSync(elsewhere, folder());
    await world.owner.request('defineProject', { project: api, body: 'Other.\n' });
    expect(project().parked).toMatch(/^PROJECT\.md has no folder: .* is a link$/);
    expect(readFileSync(join(elsewhere, 'PROJECT.md'), 'utf8')).not.toContain('Other.');
    rmSync(folder());
    renameSync(elsewhere, folder());
    await world.until('it is written and runs', () => project().parked === null && text().includes('Other.'));
  });
});

describe('another repository', () => {
  it('is worked on once the steward trusts it, and that one only', async () => {
    const repo = repository();
    await create({ workdir: repo });
    expect(project()).toMatchObject({ workdir: repo, parked: waitsForTrust(repo) });
    await expect(world.owner.request('submitBrief', { brief: 'x', project: api })).rejects.toThrow(
      'waits for your trust',
    );
    const approval = await asked('workdir');
    expect(approval.question).toContain(repo);
    await world.owner.request('unparkProject', { project: api });
    expect(project().parked).toBe(waitsForTrust(repo));
    await decide(approval, null);
    expect(project()).toMatchObject({ trusted_workdir: repo, parked: null });
  });

  it('that is not trusted keeps the project parked, with what to do', async () => {
    const repo = repository();
    await create({ workdir: repo });
    await decide(await asked('workdir'), null, 'rejected');
    expect(project().parked).toContain('which you refused: name another workdir');
    await world.owner.request('unparkProject', { project: api });
    const again = await asked('workdir');
    await world.owner.request('defineProject', { project: api, workdir: null });
    expect(project().parked).toBeNull();
    expect(world.state.approvals.get(again.id)?.status).toBe('void');
  });

  it('that is gone parks the project, and lets it go when it is back', async () => {
    const repo = repository();
    await create({ workdir: repo });
    await decide(await asked('workdir'), null);
    renameSync(repo, `${repo}-moved`);
    await world.owner.request('sendMessage', { project: api, text: 'go on' });
    expect(project().parked).toBe(`the workdir ${repo} is missing`);
    renameSync(`${repo}-moved`, repo);
    await world.owner.request('sendMessage', { project: api, text: 'go on' });
    expect(project().parked).toBeNull();
  });

  it('is refused where nobody may work', async () => {
    const plain = join(world.folder, 'plain');
    mkdirSync(plain);
    const inside = join(world.places.stateDir, 'x');
    mkdirSync(inside, { recursive: true });
    for (const [workdir, why] of [
      ['/', 'the root of the file system'],
      [process.env['HOME'] ?? '', 'it holds the home folder'],
      [inside, 'it overlaps the state folder of Autonomous'],
      [join(world.places.jobsDir, 'x'), 'it does not exist'],
      [world.folder, 'it overlaps'],
      ['code', 'not an absolute path'],
      [join(world.folder, 'gone'), 'it does not exist'],
    ] as const) {
      await expect(create({ workdir }), workdir).rejects.toThrow(why);
    }
    await expect(create({ workdir: plain })).rejects.toMatchObject({ code: 'NOT_A_REPOSITORY' });
    expect(world.state.projects.has(api)).toBe(false);
  });

  it('that is the workspace is none', async () => {
    const link = join(world.folder, 'link');
    symlinkSync(world.repo, link);
    await create({ workdir: link });
    expect(project()).toMatchObject({ workdir: null, parked: null });
    expect(existsSync(file())).toBe(true);
  });
});

describe('a job of a project', () => {
  it('works in a clone of the repository that was trusted, and merges into it', async () => {
    await using working = await EngineWorld.open();
    const repo = join(working.folder, 'code');
    mkdirSync(repo);
    plainGit(repo, ['init', '-q', '-b', 'main']);
    writeFiles(repo, { 'only-here.txt': 'a\n' });
    plainGit(repo, ['add', '-A']);
    plainGit(repo, ['commit', '-q', '-m', 'Start']);
    await working.owner.request('createProject', { name: 'api', goal: 'Wear a hat.', workdir: repo });
    const approval = await working.until('trust is asked for', () =>
      [...working.state.approvals.values()].find((row) => row.kind === 'workdir'),
    );
    await working.owner.request('decide', {
      approvalId: approval.id,
      decision: 'approved',
      choice: null,
      feedback: null,
    });
    await working.run({ project: 'api' });
    expect(working.sent('worker')[0]?.body).toContain('Wear a hat.');
    expect(plainGit(repo, ['log', '--format=%s', 'main']).trim().split('\n').length).toBeGreaterThan(1);
    expect(working.git('log', '--format=%s')).toBe('Start');
  });
});
