/** Memory, skills and templates that a repository brings along: as if they were not there, and never written over. */
import { mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { nodeFiles } from '../../../src/adapters/files/files.ts';
import { projectTemplates } from '../../../src/app/open/definitions.ts';
import { projectMemory } from '../../../src/app/open/memories.ts';
import { taskTemplateFolders, taskTemplateKeep } from '../../../src/app/open/taskTemplates.ts';
import { findWorkspacePaths } from '../../../src/app/workspace/findWorkspacePaths.ts';
import type { WorkspacePaths } from '../../../src/engine/state/workspacePaths.ts';
import { listTemplates } from '../../../src/engine/task/text/templates.ts';
import { plainGit } from '../../support/git/gitFixture.ts';
import { says } from '../../support/session/sessionBench.ts';
import { TalkWorld } from '../../support/world/talkWorld.ts';

const skill = (name: string): string => `---\nname: ${name}\ndescription: ${name} is for you.\n---\nDo it.\n`;
const files = (whose: string): Readonly<Record<string, string>> => ({
  [`projects/api/memory/facts/${whose}.md`]: `${whose}-fact`,
  [`projects/api/skills/${whose}-near/SKILL.md`]: skill(`${whose}-near`),
  [`skills/${whose}-far/SKILL.md`]: skill(`${whose}-far`),
  [`templates/${whose}.md`]: 'Text.',
  [`templates/tasks/${whose}.yaml`]: 'name: T\nsteps: []\n',
  [`memory/${whose}.md`]: `${whose}-word`,
});

function write(stateDir: string, texts: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(texts)) {
    mkdirSync(dirname(join(stateDir, path)), { recursive: true });
    writeFileSync(join(stateDir, path), text);
  }
}

const namesIn = async (places: WorkspacePaths): Promise<readonly string[]> => [
  ...(await listTemplates(taskTemplateFolders(places), 0)).map(({ name }) => name),
  ...(await projectTemplates(places)),
];

test('what came with the repository is not used, is told, and is not written over; taken out of it, it counts', async () => {
  const world = await TalkWorld.open([says('Done.'), says('Done again.')]);
  try {
    const root = realpathSync(world.root);
    const stateDir = join(root, '.autonomous');
    plainGit(root, ['init', '-q', '-b', 'main']);
    write(stateDir, files('theirs'));
    plainGit(root, ['add', '-f', '.autonomous']);
    plainGit(root, ['commit', '-q', '-m', 'x']);
    write(stateDir, files('mine'));

    await world.say('Hello.');
    expect(await world.converse()).toBeNull();
    const asked = world.model.bodies.join();
    for (const own of ['facts/mine.md', 'mine-near', 'mine-far']) expect(asked).toContain(own);
    expect(asked).not.toContain('theirs');
    expect(world.problems.join()).toMatch(/theirs\.md came with the repository: it is not used/);
    expect(world.problems.join()).toMatch(/theirs-far.*came with the repository/);

    const main = projectMemory(stateDir, 'main');
    expect((await main.list('')).map(({ name }) => name)).toEqual(['mine.md']);
    expect(await main.read('theirs.md')).toBeNull();
    await expect(main.write('theirs.md', 'x')).rejects.toMatchObject({ code: 'NOT_PERMITTED' });
    expect(readFileSync(join(stateDir, 'memory/theirs.md'), 'utf8')).toBe('theirs-word');
    const ofProject = projectMemory(stateDir, 'api');
    await expect(ofProject.remove('facts')).rejects.toMatchObject({ code: 'NOT_PERMITTED' });
    await expect(ofProject.rename('facts', 'more')).rejects.toMatchObject({ code: 'NOT_PERMITTED' });

    const places = await findWorkspacePaths(root, join(root, 'jobs'));
    expect(await namesIn(places)).toEqual(expect.arrayContaining(['mine']));
    expect(await namesIn(places)).not.toContain('theirs');
    const keep = taskTemplateKeep(places, nodeFiles);
    await expect(keep.keep('theirs', 'name: T', true)).rejects.toMatchObject({ code: 'NOT_PERMITTED' });

    plainGit(root, ['rm', '-rq', '--cached', '.autonomous']);
    plainGit(root, ['commit', '-q', '-m', 'not the repository’s']);
    expect(await main.read('theirs.md')).toBe('theirs-word');
    expect(await namesIn(places)).toContain('theirs');
  } finally {
    await world.close();
  }
});
