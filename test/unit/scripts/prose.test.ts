import { describe, expect, it } from 'vitest';
import { proseFaults, RULES } from '../../../scripts/lint/prose.mjs';

/** A sentence that breaks each rule, in their order. */
const EXAMPLES = [
  'Of a job: its folder.',
  'Who may ask.',
  'It is for whoever asks.',
  'There is nobody here.',
  'It is read anew.',
  'The file lies there.',
  'The job goes on.',
  'The task runs again.',
  'It comes to nothing.',
  'See what becomes of it.',
  'A call is under way.',
  'The person is told.',
  'The owner hears this.',
  'A file is ours.',
  'The verdict is none.',
  'There is nothing of it.',
  'A folder, to be removed later.',
  'It is the same from here on.',
  'Please mend this.',
  'A wish is filed.',
  'The user may if he asks.',
  'A row is made of cells.',
  'This is a dear model.',
] as const;

describe('the search for wording to improve', () => {
  it.each(RULES.map(([, instead], nth) => [EXAMPLES[nth] ?? '', instead] as const))('finds %j', (text, instead) => {
    expect(proseFaults('src/a.ts', `/** ${text} */\n`).join('\n')).toContain(instead);
  });

  it('has an example for each rule', () => {
    expect(EXAMPLES).toHaveLength(RULES.length);
  });

  it('reads texts and documents too, and names file and line', () => {
    expect(proseFaults('src/a.ts', "\nconst a = 'the job goes on';\n")[0]).toMatch(/^src\/a\.ts:2: "goes on"/);
    expect(proseFaults('docs/a.md', '# A\n\nNobody reads this.\n')[0]).toMatch(/^docs\/a\.md:3: "Nobody"/);
  });

  it('leaves code, names and code blocks alone', () => {
    expect(proseFaults('src/a.ts', 'const nobody = wish(his);\n// biome-ignore lint: it goes on\n')).toEqual([]);
    expect(proseFaults('docs/a.md', '```\nnobody\n```\n`nobody`\n')).toEqual([]);
    expect(proseFaults('media/a.json', '"nobody is here"')).toEqual([]);
  });
});
