import { expect, it, vi } from 'vitest';

vi.mock('vscode', async () => ({ EventEmitter: (await import('../../../support/editor/fakeEditor.ts')).FakeEmitter }));

const { LazyTree } = await import('../../../../src/vscode/page/lazyTree.ts');

it('loads its rows once, with the first question, and refreshes them from then on', async () => {
  const rows = { refresh: vi.fn(), getTreeItem: (node: string) => ({ label: node }), getChildren: () => ['job'] };
  const load = vi.fn(async () => rows);
  const tree = new LazyTree<string>(load);
  const asked = vi.fn();
  tree.onDidChangeTreeData(asked);
  tree.refresh();
  expect([load, rows.refresh].map(({ mock }) => mock.calls.length)).toEqual([0, 0]);
  expect(await Promise.all([tree.getChildren(), tree.getTreeItem('job')])).toEqual([['job'], { label: 'job' }]);
  tree.refresh();
  expect([load, rows.refresh, asked].map(({ mock }) => mock.calls.length)).toEqual([1, 1, 2]);
});
