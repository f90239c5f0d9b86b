/** A file that a person writes means the same with CRLF as with LF. */
import { describe, expect, test } from 'vitest';
import { ownConnections } from '../../../src/adapters/userData/knownConnections.ts';
import { ignoreFile, isIgnored } from '../../../src/core/repository/gitIgnore.ts';
import { TEXTS } from '../../faults/parsers/texts.ts';

const crlf = (text: string): string => text.replaceAll('\n', '\r\n');
/** Of a definition, the text below the fields is given as it is. */
const alike = (value: unknown): unknown => JSON.parse(JSON.stringify(value ?? null).replaceAll('\\r\\n', '\\n'));

const WRITTEN = ['PROJECT.md', 'frontmatter of a skill', 'task YAML', 'plan YAML', 'agents.yaml', 'scenario'];

describe.each(WRITTEN)('%s', (name) => {
  const { corpus, read } = TEXTS.find((one) => one.name === name) ?? { corpus: [], read: String };
  test.each(corpus.map((text, nth) => [nth, text.replaceAll('\r\n', '\n')] as const))('text %i', (_, text) => {
    const result = (given: string): unknown => {
      try {
        return alike(read(given));
      } catch (thrown) {
        return String(thrown);
      }
    };
    expect(result(crlf(text))).toEqual(result(text));
  });
});

const CONNECTIONS = `# Mine
ollama: {}
mine:
  wire: chat
  baseUrl: https://models.example
  keyEnv: MY_KEY
  headers:
    x-team: >-
      one
      two
`;

test('connections.yaml', () => {
  expect(ownConnections(crlf(CONNECTIONS))).toEqual(ownConnections(CONNECTIONS));
  expect(Object.keys(ownConnections(crlf(CONNECTIONS)).entries)).toEqual(['ollama', 'mine']);
});

test('.gitignore', () => {
  const file = ignoreFile('', crlf('# Ours\n*.log\nbuild/\n!keep.log\n'));
  const left = ['a.log', 'build', 'keep.log', 'src'].filter((path) => isIgnored([file], path, path === 'build'));
  expect(left).toEqual(['a.log', 'build']);
});
