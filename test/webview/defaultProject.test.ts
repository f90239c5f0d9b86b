/** The default project alone is not worth a list, unless it is suspended: then it is resumed there. */
import { expect, it } from 'vitest';
import { sharedWorld } from './shared.ts';
import { openSection } from './ways.ts';

it('shows a suspended default project with its button, and an active one not', async () => {
  const world = await sharedWorld();
  const { page } = await world.open('view=sidebar&cards=20', { width: 280, height: 900 });
  const show = (status: 'active' | 'suspended') =>
    page.evaluate((now) => {
      const sample = window.sample(20);
      const projects = sample.projects.filter(({ name }) => name === 'default').map((row) => ({ ...row, status: now }));
      window.show({ ...sample, projects });
    }, status);
  const resume = page.getByRole('button', { name: /^Resume Default/i });
  await show('suspended');
  await openSection(page, 'Projects');
  await resume.click();
  const posted = await page.evaluate(() => window.posted.filter(({ kind }) => kind === 'project'));
  expect(posted).toEqual([{ kind: 'project', project: 'default', act: 'resume' }]);
  await show('active');
  await resume.waitFor({ state: 'detached' });
});
