import { expect, test } from 'vitest';
import { outline } from '../../../../../../src/engine/session/tools/files/outline.ts';

const linesIn = (path: string, text: string) =>
  outline(path, text.split('\n')).map(({ line, text: shown }) => `${line}:${shown}`);

test('a file inside one function lists what the function declares', () => {
  const text = [
    ';(function(root) {',
    '\tvar map = {};',
    '',
    '\tvar encode = function(string) {',
    '\t\tvar x = 1;',
    '\t};',
    '}(this));',
  ];
  expect(linesIn('umd.js', text.join('\n'))).toEqual([
    '2:\tvar map = {};',
    '4:\tvar encode = function(string) {',
    '5:\t\tvar x = 1;',
  ]);
  const many = Array.from({ length: 10 }, (_, index) => `\tvar part${index} = 0;`);
  const listed = linesIn('umd.js', [...text.slice(0, 6), ...many, '}(this));'].join('\n'));
  expect(listed).toHaveLength(12);
  expect(listed).not.toContain('5:\t\tvar x = 1;');
});

test('a class lists its methods, and no statement', () => {
  const js = [
    'export class Box {',
    '  open(key) {',
    '    if (key) {',
    '    return open(key)',
    '  async #close() {',
    '}',
  ];
  expect(linesIn('box.js', js.join('\n'))).toEqual(['1:export class Box {', '2:  open(key) {', '5:  async #close() {']);
  const java = [
    'public class Box {',
    '    private int count;',
    '    public void open(Key key) {',
    '        return open(key)',
  ];
  expect(linesIn('Box.java', java.join('\n'))).toEqual(['1:public class Box {', '3:    public void open(Key key) {']);
});

test('a file with enough at its top level lists that alone', () => {
  const text = Array.from({ length: 10 }, (_, index) => `function f${index}() {\n  const inner = 1;\n}`).join('\n');
  expect(linesIn('flat.js', text)).toHaveLength(10);
});
