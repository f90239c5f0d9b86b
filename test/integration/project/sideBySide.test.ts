/** The built-in scenario of projects, on the real owner and a thread each: from the word that sets them up to a finding that is carried over. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadScenario } from '../../../src/app/assets/scenarios.ts';
import { costs } from '../../../src/core/money/view/costs.ts';
import type { MessageRow } from '../../../src/shared/project/projects.ts';
import { EngineWorld } from '../../support/world/engineWorld.ts';

const NAMES = Object.keys((await loadScenario('projects')).projects);
/** The project `docs` uses it. */
const SKILL = 'plain-words';

function said(world: EngineWorld, project: string): MessageRow[] {
  return [...world.state.messages.values()].filter((row) => row.project_id === project && row.direction === 'out');
}

function tell(world: EngineWorld, text: string) {
  return world.owner.request('sendMessage', { project: 'main', text, provider: 'simulated', scenario: 'projects' });
}

test('three projects side by side: a finding of one reaches the other, which has its code changed; the main agent tells', async () => {
  await using world = await EngineWorld.open();
  const skill = join(world.places.stateDir, 'skills', SKILL);
  mkdirSync(skill, { recursive: true });
  writeFileSync(join(skill, 'SKILL.md'), `---\nname: ${SKILL}\ndescription: How to write.\n---\nShort words first.\n`);
  await tell(world, 'Please set up the three projects.');
  await world.until('they are set up', () => said(world, 'main').length === 1);
  expect(said(world, 'main')[0]?.text).toContain(`Set up and at work: ${NAMES.join(', ')}`);
  for (const name of NAMES)
    expect(world.state.projects.get(name)).toMatchObject({ provider: 'simulated', scenario: 'projects' });

  const spoke = (name: string, words: string) => said(world, name).find(({ text }) => text.includes(words));
  const finding = await world.until('the finding', () => spoke('api-migration', 'breaking change'));
  expect(finding.concerns).toBe('frontend-redesign');
  await world.until('the other answers it', () => spoke('frontend-redesign', 'filed a brief'));
  await world.until('the documents are looked at', () => spoke('docs', 'guide to orders'));

  const relayed = [...world.state.messages.values()].filter(({ relayed_from }) => relayed_from === finding.id);
  expect(relayed.map(({ project_id, text }) => [project_id, text])).toEqual([['frontend-redesign', finding.text]]);
  const file = (project: string, ...parts: string[]) =>
    readFileSync(join(world.places.stateDir, 'projects', project, ...parts), 'utf8');
  expect(file('frontend-redesign', 'memory', 'facts', 'orders-api.md')).toBe(
    `# What the API will answer\n\n${finding.text}\n`,
  );
  const jobs = [...world.state.jobs.values()];
  expect(jobs.map(({ project_id, options }) => [project_id, options.scenario])).toEqual([
    ['frontend-redesign', 'projects'],
  ]);
  // The planner of the job is given what its project remembers.
  const transcript = await world.until('the planner begins', () => {
    const planner = [...world.state.sessions.values()].find(({ role }) => role === 'planner');
    const folder = join(world.places.stateDir, 'sessions');
    const name = readdirSync(folder).find((one) => one.startsWith(`${planner?.id}.`));
    const text = name === undefined ? '' : readFileSync(join(folder, name), 'utf8');
    // The file is there before its first line is.
    return text.includes('\n') && text;
  });
  expect(transcript).toContain('What the project remembers, as data');
  expect(transcript).toContain('# What the API will answer');
  expect(file('docs', 'session', 'current.jsonl')).toContain('Short words first.');
  expect(file('docs', 'session', 'current.jsonl')).toContain('nor how it is looked up afterwards');
  const subagents = [...world.state.sessions.values()].filter(({ role }) => role === 'subagent');
  expect(subagents).toMatchObject([{ project_id: 'docs', status: 'completed' }]);

  await tell(world, 'What is going on?');
  await world.until('the main agent tells', () => said(world, 'main').length === 2);
  const told = said(world, 'main')[1]?.text ?? '';
  for (const name of NAMES) expect(told).toContain(`- ${name}: active`);
  expect(
    costs(world.state, '2000-01-01')
      .byProject.map(({ key }) => key)
      .sort(),
  ).toEqual([...NAMES, 'main'].sort());
  const calls = [...world.state.spends.values()].filter(
    ({ job_id, project_id }) => job_id === null && project_id === 'docs',
  );
  expect(calls.reduce((sum, { tool_calls }) => sum + tool_calls, 0)).toBe(5);
});
