import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { skillFiles } from '../../../src/adapters/files/skillFiles.ts';
import { findSkills, useSkill } from '../../../src/engine/project/memory/skills.ts';
import { type StateFolder, stateFolder } from '../../support/state/stateFolder.ts';

const made: StateFolder[] = [];
afterEach(() => {
  for (const one of made.splice(0)) one[Symbol.dispose]();
});

const skill = (name: string, description = 'What it is for.', body = 'Do this.'): string =>
  `---\nname: ${name}\ndescription: ${description}\n---\n\n${body}\n`;

function shelf(files: Readonly<Record<string, string | Buffer>>) {
  const state = stateFolder();
  made.push(state);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(state.root, path)), { recursive: true });
    writeFileSync(join(state.root, path), text);
  }
  return { root: state.root, files: skillFiles(['own', 'shared', 'user'].map((name) => join(state.root, name))) };
}

describe('skills', () => {
  it('are found by name and description, the nearest of two with one name', async () => {
    const { files } = shelf({
      'own/release/SKILL.md': skill('release', 'Ours.'),
      'shared/release/SKILL.md': skill('release', 'Of all.'),
      'user/pdf-forms/SKILL.md': `---\nname: pdf-forms\ndescription: >\n  Fill in\n  forms.\nlicense: MIT\nmetadata:\n  a: b\n---\nRead FORMS.md`,
      'user/README.md': 'no skill',
    });
    const { skills, problems } = await findSkills(files);
    expect(skills.map(({ name, description }) => [name, description])).toEqual([
      ['pdf-forms', 'Fill in forms.'],
      ['release', 'Ours.'],
    ]);
    expect(problems).toEqual([]);
  });

  it('are loaded with their text, the names of their files, and these files', async () => {
    const { files } = shelf({
      'own/release/SKILL.md': skill('release'),
      'own/release/references/steps.md': '1. Tag.',
      'own/release/run.sh': 'echo hi',
    });
    expect(await useSkill(files, 'release', null)).toEqual({
      ok: true,
      text: 'Do this.\n\nFiles of this skill: references/steps.md, run.sh',
    });
    expect(await useSkill(files, 'release', 'references/steps.md')).toEqual({ ok: true, text: '1. Tag.' });
    expect(await useSkill(files, 'release', 'none.md')).toMatchObject({ ok: false });
    expect(await useSkill(files, 'deploy', null)).toEqual({
      ok: false,
      text: 'There is no skill deploy. Its skills: release.',
    });
  });

  it.each([
    ['no frontmatter', 'Just text.', /---/],
    ['another name', skill('other'), /calls itself other/],
    ['no description', '---\nname: bad\n---\n', /description/],
    ['a name in capitals', skill('Bad'), /lower-case/],
    ['aliases', '---\nname: &a bad\ndescription: *a\n---\n', /anchor|alias/],
    ['a broken mapping', '---\nname: [bad\n---\n', /line/],
    ['binary content', Buffer.from([0, 1, 2, 255]), /plain file of text/],
    ['ten megabytes', `${skill('bad')}${'x'.repeat(10_000_000)}`, /256 kB/],
  ])('with %s are left out and told, and the others stay', async (_, text, told) => {
    const { files } = shelf({ 'own/bad/SKILL.md': text, 'own/good/SKILL.md': skill('good') });
    const { skills, problems } = await findSkills(files);
    expect(skills.map(({ name }) => name)).toEqual(['good']);
    expect(problems).toEqual([expect.stringMatching(told)]);
    expect(problems[0]).toContain('/own/bad');
  });

  it('lead nowhere else: no link as a skill, its SKILL.md or one of its files, and no path that climbs out', async () => {
    const { files, root } = shelf({
      'own/good/SKILL.md': skill('good'),
      'own/half/none.txt': '',
      'outside/secret.md': 'the secret',
      'outside/linked/SKILL.md': skill('linked'),
    });
    symlinkSync(join(root, 'outside/linked'), join(root, 'own/linked'));
    symlinkSync(join(root, 'outside/linked/SKILL.md'), join(root, 'own/half/SKILL.md'));
    symlinkSync(join(root, 'outside/secret.md'), join(root, 'own/good/link.md'));
    symlinkSync(join(root, 'outside'), join(root, 'own/good/folder'));
    const { skills, problems } = await findSkills(files);
    expect(skills.map(({ name }) => name)).toEqual(['good']);
    expect(problems).toHaveLength(2);
    for (const path of [
      '../half/none.txt',
      '../../outside/secret.md',
      'link.md',
      'folder/secret.md',
      '/etc/passwd',
      'a\0b',
    ]) {
      await expect(useSkill(files, 'good', path)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    }
    expect((await useSkill(files, 'good', null)).text).toBe('Do this.');
  });
});
