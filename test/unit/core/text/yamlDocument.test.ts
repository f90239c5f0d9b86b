import { describe, expect, it } from 'vitest';
import { isNode } from 'yaml';
import { MOST_FAULTS, yamlDocument } from '../../../../src/core/text/yamlDocument.ts';

const told = (text: string): string[] => {
  const { document, lines } = yamlDocument(text);
  return document.errors.map(({ pos: [at], message }) => `${lines.linePos(at).line}: ${message}`);
};

describe('a document of YAML', () => {
  it('is read with the places of its parts', () => {
    const { document, lines } = yamlDocument('a: 1\nb:\n  - x\n');
    expect(document.toJS()).toEqual({ a: 1, b: ['x'] });
    const place = document.getIn(['b', 0], true);
    expect(lines.linePos(isNode(place) ? (place.range?.[0] ?? 0) : 0)).toEqual({ line: 3, col: 5 });
  });

  it.each([
    ['a key twice', 'a: 1\nb:\n  c: 1\n  c: 2\n', '4: duplicate key'],
    ['a key twice, once in quotes', '1: x\n"1": y\n', '2: duplicate key'],
    ['a second document', 'a: 1\n---\nb: 2\n', '2: a second document starts here'],
    ['brackets that nest too deep', `a:\n  ${'['.repeat(100_000)}`, '2: it is nested deeper than 40 times'],
    ['lists that nest too deep', `a:\n  ${'- '.repeat(50_000)}`, '2: it is nested deeper than 40 times'],
  ])('with %s is refused at its line', (_, text, fault) => {
    expect(told(text)).toContain(fault);
  });

  it.each([
    ['after its end', '{}\n'.repeat(10_000)],
    ['within it', `a: ${'!x '.repeat(10_000)}`],
    ['of keys', 'a: 1\n'.repeat(10_000)],
  ])('stops at so many faults %s', (_, text) => {
    expect(told(text)).toHaveLength(MOST_FAULTS);
  });

  it('gives stacks back to those who read them', () => {
    const before = Error.stackTraceLimit;
    yamlDocument('{}{}');
    expect(Error.stackTraceLimit).toBe(before);
    expect(before).toBeGreaterThan(0);
  });
});
