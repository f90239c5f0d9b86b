/** Skills in the format of Agent Skills: a folder with a SKILL.md whose frontmatter names and describes it. */

import { findFailure, messageOf } from '../../../shared/errors.ts';
import type { ToolResult } from '../../session/ports.ts';
import { type Fields, readFields, splitFrontmatter } from '../definition/frontmatter.ts';
import type { SkillFiles, SkillFolder } from '../talk/conversationPorts.ts';

const NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
const MAX_NAME = 64;
const MAX_DESCRIPTION = 1_024;
const LISTED_FILES = 100;

export interface Skill {
  readonly name: string;
  readonly description: string;
  /** The text after the frontmatter. */
  readonly body: string;
  readonly folder: SkillFolder;
}

export interface Skills {
  /** Sorted by name. Of two skills with one name the nearer one: the project's, the workspace's, then the user's. */
  readonly skills: readonly Skill[];
  /** Omitted skills, with reasons. */
  readonly problems: readonly string[];
}

/** A parsed SKILL.md, or its fault. */
function readSkill(folder: SkillFolder): Skill | string {
  if (folder.text === null) return 'has no SKILL.md that is a plain file of text of at most 256 kB';
  let fields: Fields;
  let body: string;
  try {
    const split = splitFrontmatter(folder.text);
    fields = readFields(split.yaml);
    body = split.body.trim();
  } catch (thrown) {
    if (findFailure(thrown)?.code !== 'INVALID_INPUT') throw thrown;
    return messageOf(thrown);
  }
  const plain = (field: string): string => {
    const value = fields.get(field);
    return value !== undefined && 'text' in value ? (value.text ?? '').trim() : '';
  };
  const [name, description] = [plain('name'), plain('description')];
  if (!NAME.test(name) || name.length > MAX_NAME) return 'has no name of lower-case letters, digits and single hyphens';
  if (name !== folder.name) return `calls itself ${name}: name and folder must be the same`;
  if (description === '' || description.length > MAX_DESCRIPTION) {
    return `has no description of at most ${MAX_DESCRIPTION} characters`;
  }
  return { name, description, body, folder };
}

export async function findSkills(files: SkillFiles): Promise<Skills> {
  const skills = new Map<string, Skill>();
  const problems: string[] = [];
  for (const folder of await files.folders()) {
    const read = readSkill(folder);
    if (typeof read === 'string') problems.push(`the skill in ${folder.place} is left out: it ${read}`);
    else if (!skills.has(read.name)) skills.set(read.name, read);
  }
  return { skills: [...skills.values()].sort((a, b) => (a.name < b.name ? -1 : 1)), problems };
}

/** The result of `use_skill`: the skill's text and its files' names, or one of these files. */
export async function useSkill(files: SkillFiles, name: string, file: string | null): Promise<ToolResult> {
  const { skills } = await findSkills(files);
  const skill = skills.find((one) => one.name === name);
  if (skill === undefined) {
    const known = skills.map((one) => one.name).join(', ');
    return {
      ok: false,
      text: `There is no skill ${name}. ${known === '' ? 'The project has no skills' : `Its skills: ${known}`}.`,
    };
  }
  if (file !== null) {
    const text = await files.read(skill.folder, file);
    return text === null ? { ok: false, text: `The skill ${name} has no file ${file}.` } : { ok: true, text };
  }
  const others = (await files.files(skill.folder)).filter((path) => path !== 'SKILL.md').slice(0, LISTED_FILES);
  const listed = others.length === 0 ? '' : `\n\nFiles of this skill: ${others.join(', ')}`;
  return { ok: true, text: `${skill.body}${listed}` };
}
