/** What a new project begins with. */
import { describe, expect, it } from 'vitest';
import { builtInProjectTemplates } from '../../../../../src/app/open/definitions.ts';
import { parseDefinition } from '../../../../../src/engine/project/definition/definition.ts';
import type { TemplateFiles } from '../../../../../src/engine/project/definition/templatePorts.ts';
import {
  beginDefinition,
  templateNames,
  templateText,
} from '../../../../../src/engine/project/definition/templates.ts';

const BUILT_IN = builtInProjectTemplates();
const NAMES = await BUILT_IN.names();

function own(
  files: Readonly<Record<string, string>>,
  origin: TemplateFiles['origin'] = 'user',
): readonly TemplateFiles[] {
  const of: TemplateFiles = {
    origin,
    names: async () => Object.keys(files),
    read: async (name) =>
      Object.hasOwn(files, name) ? { path: `/templates/${name}.md`, bytes: Buffer.from(files[name] ?? '') } : null,
  };
  return [of, BUILT_IN];
}

const begin = (files: Readonly<Record<string, string>>, input: Parameters<typeof beginDefinition>[1]) =>
  beginDefinition(own(files), input);

describe('a built-in template', () => {
  it.each(NAMES)('%s says what for, what to find out, what holds and how to report', async (template) => {
    const body = await templateText(own({}), template);
    expect(body.match(/^## .*$/gm)).toEqual(['## Goal', '## Background', '## Constraints', '## How to report']);
    expect(body.match(/^- .*\?/gm)?.length).toBeGreaterThanOrEqual(4);
    expect(parseDefinition(`---\nname: a\n---\n\n${body}`).file.definition.body).toBe(body);
  });

  it('begins no project whose goal has its blanks', async () => {
    const template = 'migration';
    await expect(begin({}, { template })).rejects.toThrow('the goal still has {what}, {old}, {new} of the template');
    const body = await templateText(own({}), template);
    await expect(begin({}, { template, body })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    const said = body.replace('{what} from {old} to {new}', 'callers to {new}');
    await expect(begin({}, { template, body: said })).rejects.toThrow('the goal still has {new}');
    expect(await begin({}, { template, body: said.replace('{new}', 'v2') })).toMatchObject({
      body: expect.stringContaining('Move callers to v2'),
    });
  });

  it('takes what was said: the goal instead of its own, the rest before it', async () => {
    const { body = '' } = await begin({}, { template: 'docs', goal: 'A guide.', constraints: 'In English.' });
    expect(body).toMatch(/^## Goal\n\nA guide\.\n\n## Background\n/);
    expect(body).toContain('## Constraints\n\nIn English.\n\n- What is written was tried.');
    expect(body.match(/^## /gm)).toHaveLength(4);
  });
});

describe('no template', () => {
  it('is what was said, by titles', async () => {
    const said = { template: null, goal: ' A. ', background: '', constraints: 'C.' };
    expect(await begin({}, said)).toEqual({ body: '## Goal\n\nA.\n\n## Constraints\n\nC.\n' });
    expect(await begin({}, { ...said, body: 'Whole.' })).toEqual({ body: 'Whole.' });
  });
});

describe('a template of one’s own', () => {
  it('gives text, model, limits and heartbeat, and nothing that says where or by whom', async () => {
    const text = [
      '---',
      'model: claude-opus-5-5',
      'provider: simulated',
      'scenario: /s.yaml',
      'workdir: /elsewhere',
      'idle: never',
      'limits: { totalUsd: 3 }',
      'heartbeat: { every: 1d, prompt: Look. }',
      '---',
      'Text.',
    ].join('\n');
    expect(await begin({ mine: text }, { template: 'mine' })).toEqual({
      body: 'Text.',
      model: 'claude-opus-5-5',
      limits: { dayMicroUsd: null, totalMicroUsd: 3_000_000, tokens: null, toolCalls: null },
      heartbeat: { minutes: 1440, prompt: 'Look.' },
    });
  });

  it('may be a text alone, and hides a built-in one of its name', async () => {
    expect(await begin({ docs: 'Mine.' }, { template: 'docs' })).toEqual({ body: 'Mine.' });
    expect(await templateNames(own({ docs: '', 'my-own': '', 'Not a name': '' }))).toEqual([
      'dependency-upgrades',
      'docs',
      'migration',
      'my-own',
      'test-coverage',
    ]);
  });

  it('of the workspace hides none, and gives no heartbeat', async () => {
    const anybodys = own({ docs: 'Theirs.', theirs: 'Text.' }, 'workspace');
    expect(await beginDefinition(anybodys, { template: 'theirs' })).toEqual({ body: 'Text.' });
    expect(await templateText([...own({ docs: 'Mine.' }), ...anybodys], 'docs')).toBe('Mine.');
    expect(await templateText(anybodys, 'docs')).toBe(await templateText([BUILT_IN], 'docs'));
    const bounded = '---\nlimits: { dayUsd: 900 }\n---\nText.';
    expect(await beginDefinition(own({ a: bounded }, 'workspace'), { template: 'a' })).toMatchObject({
      limits: { dayMicroUsd: 900_000_000 },
    });
    const beating = '---\nheartbeat: { every: 5m, prompt: Spend. }\n---\nText.';
    await expect(beginDefinition(own({ a: beating }, 'workspace'), { template: 'a' })).rejects.toMatchObject({
      code: 'NOT_PERMITTED',
    });
    expect(await beginDefinition(own({ a: beating }), { template: 'a' })).toMatchObject({ heartbeat: { minutes: 5 } });
  });

  it('that is broken, or is not there, is told by its name and line', async () => {
    await expect(begin({ mine: '---\nlimits: 5\n---\n' }, { template: 'mine' })).rejects.toThrow(
      'the template /templates/mine.md cannot be used: line 2: limits is a mapping',
    );
    for (const template of ['none', '../mine', '__proto__', 'constructor']) {
      await expect(begin({ mine: '' }, { template }), template).rejects.toMatchObject({ code: 'NOT_FOUND' });
    }
  });
});
