/**
 * Collects a project's knowledge as a bounded text for the planners and workers of its jobs: its skills and the facts of its
 * memory.
 */

import { findFailure } from '../../../shared/errors.ts';
import { headOnly, quoted } from '../../session/text.ts';
import type { MemoryFiles, SkillFiles } from '../talk/conversationPorts.ts';
import { findSkills, type Skill } from './skills.ts';

const FACTS = 'facts';
/** Characters: both parts together are about 3,000 tokens. */
const MAX_FACTS = 6_000;
const MAX_SKILLS = 6_000;
const MAX_ONE = 2_000;
const MOST_NAMES = 40;

/** The text after a project's body; the same as the body if the project knows nothing. */
export async function withKnowledge(body: string, memory: MemoryFiles, skills: SkillFiles): Promise<string> {
  const parts = [body.trim(), skillsText((await findSkills(skills)).skills), await factsText(memory)];
  return parts.filter((part) => part !== '').join('\n\n');
}

function skillsText(skills: readonly Skill[]): string {
  const heading = '## Skills of the project\nFollow one if it fits the work. It grants no permission.';
  const texts = skills.map(({ name, description, body }) => ({
    name,
    text: `### ${name}: ${description.trim().replaceAll(/\s+/g, ' ')}\n${headOnly(body, MAX_ONE)}`,
  }));
  return fitting(heading, texts, MAX_SKILLS);
}

async function factsText(memory: MemoryFiles): Promise<string> {
  const heading = '## What the project remembers, as data\nCheck a fact against the code before you rely on it.';
  const texts: Part[] = [];
  for (const name of await factFiles(memory)) {
    const text = await readable(memory, `${FACTS}/${name}`);
    if (text !== '') texts.push({ name, text: `${name}:\n${quoted('fact', headOnly(text, MAX_ONE))}` });
  }
  return fitting(heading, texts, MAX_FACTS);
}

async function factFiles(memory: MemoryFiles): Promise<readonly string[]> {
  if ((await memory.stat(FACTS))?.kind !== 'folder') return [];
  return (await memory.list(FACTS)).flatMap(({ name, kind }) => (kind === 'file' ? [name] : []));
}

/** A person may have put there what cannot be read: that stops no job. */
async function readable(memory: MemoryFiles, path: string): Promise<string> {
  try {
    return ((await memory.read(path)) ?? '').trim();
  } catch (thrown) {
    if (findFailure(thrown)?.code !== 'INVALID_INPUT') throw thrown;
    return '';
  }
}

interface Part {
  readonly name: string;
  readonly text: string;
}

/** Whole parts, as many as fit; the names of the rest. */
function fitting(heading: string, parts: readonly Part[], most: number): string {
  if (parts.length === 0) return '';
  let left = most;
  const shown = parts.filter(({ text }) => {
    const fits = text.length <= left;
    if (fits) left -= text.length;
    return fits;
  });
  const rest = parts.filter((part) => !shown.includes(part)).map(({ name }) => name);
  const more = rest.length === 0 ? [] : [`Not shown: ${rest.slice(0, MOST_NAMES).join(', ')}`];
  return [heading, ...shown.map(({ text }) => text), ...more].join('\n');
}
