/** Removes lines of TAP output without facts: the lines of node:test and tap around the result of a test. Pure. */

const RESULT = /^\s*(not )?ok \d+(?: - (.*?))?(?:\s+[#{].*)?$/;
const SUBTEST = /^\s*# Subtest: (.*)$/;
const BEGIN = /^(\s*)---$/;
const END = /^\s*\.\.\.$/;
/** Fields of a result's block. How long the command ran is stated elsewhere. */
const NO_FACT = /^(?:duration_ms: [\d.]+|type: '(?:test|suite)')$/;
/** Duration of the whole run of node:test. */
const DURATION = /^\s*# duration_ms [\d.]+$/;
/** Longest line that is checked, in characters: patterns take too long for longer ones. */
const LONGEST = 1_000;

interface Block {
  readonly indent: string;
  readonly isPassed: boolean;
}

/**
 * Removes the marks and fields without a fact of each result's block, the whole block of a passed test, the total duration, and the line that names a
 * test if the test's result names it too (a test that hung has no result). A block that was cut off is kept.
 */
export function withoutTapMarks(lines: readonly string[]): readonly string[] {
  const short = lines.map((line) => (line.length > LONGEST ? '' : line));
  const named = new Set(short.flatMap((line) => RESULT.exec(line)?.[2] ?? []));
  const ends = new Map(short.flatMap((line, at) => (END.test(line) ? [[line, at] as const] : [])));
  let block: Block | null = null;
  return lines.filter((line, at) => {
    if (block !== null) {
      const { indent, isPassed }: Block = block;
      if (line === `${indent}...`) block = null;
      return block !== null && !isPassed && !(line.startsWith(indent) && NO_FACT.test(line.slice(indent.length)));
    }
    const indent = BEGIN.exec(short[at] ?? '')?.[1];
    const result = indent === undefined ? null : RESULT.exec(short[at - 1] ?? '');
    if (indent !== undefined && result !== null && (ends.get(`${indent}...`) ?? 0) > at) {
      block = { indent, isPassed: result[1] === undefined };
      return false;
    }
    const subtest = SUBTEST.exec(short[at] ?? '')?.[1]?.trimEnd();
    return subtest === undefined ? !DURATION.test(short[at] ?? '') : !named.has(subtest);
  });
}
