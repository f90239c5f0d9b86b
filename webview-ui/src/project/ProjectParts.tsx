/** Parts of a project that several views show. */

import { MAIN_PROJECT } from '../../../src/shared/project/projects.ts';
import type { ProjectView } from '../../../src/shared/project/projectView.ts';
import type { ProjectAct } from '../../../src/shared/workspace/pageProtocol.ts';
import { goToQuestion } from '../approval/goToQuestion.ts';
import { post } from '../store/bridge.ts';
import { plural, t } from '../store/l10n.ts';
import { usePage } from '../store/store.ts';
import { Link } from '../ui/Button.tsx';
import { visible } from '../ui/text/format.ts';
import { conversationName } from '../ui/text/labels.ts';
import { apart } from '../ui/text/waitFacts.ts';
import { WaitLine } from '../ui/WaitLine.tsx';

export const ask = (project: string, act: ProjectAct) => () => post({ kind: 'project', project, act });

/** Why the project is blocked, and its quick fix. */
export function Standstill({ project: { name, reason } }: { readonly project: ProjectView }) {
  return (
    <p className="callout standstill">
      <span>{reason === null ? t('The project does not run.') : visible(reason)}</span>{' '}
      <Link label={t('Try Again')} describes={conversationName(name)} onPress={ask(name, 'unpark')} />
    </p>
  );
}

/** The wait of a project. */
export function ProjectWait({ project: { name, parked, waiting } }: { readonly project: ProjectView }) {
  const shown = apart(waiting);
  // A parked project has a callout.
  return shown === null || parked ? null : (
    <WaitLine waiting={shown} of="project" id={name} describes={conversationName(name)} />
  );
}

/** The questions of a project, and a link to the first. */
export function Questions({ project: { name, questions } }: { readonly project: ProjectView }) {
  const first = usePage((page) => page.view?.approvals.find(({ projectId }) => projectId === name));
  if (questions === 0) return null;
  const label = plural(questions, { one: '{0} question', other: '{0} questions' });
  if (first === undefined) return <span>{label}</span>;
  return <Link label={label} describes={conversationName(name)} onPress={() => goToQuestion(first)} />;
}

/** Links to the project's files, which open beside the page. */
export function ProjectLinks({ project }: { readonly project: string }) {
  const describes = conversationName(project);
  return (
    <span className="project-links">
      {project === MAIN_PROJECT ? null : (
        <Link label={t('Definition')} describes={describes} onPress={ask(project, 'definition')} />
      )}
      <Link label={t('Memory')} describes={describes} onPress={ask(project, 'memory')} />
      <Link label={t('Skills')} describes={describes} onPress={ask(project, 'skills')} />
    </span>
  );
}
