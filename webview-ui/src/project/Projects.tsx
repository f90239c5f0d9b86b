/** The projects of the sidebar: activity, cost, last message, and actions. */

import { useState } from 'react';
import { DEFAULT_PROJECT, MAIN_PROJECT } from '../../../src/shared/project/projects.ts';
import type { ProjectView } from '../../../src/shared/project/projectView.ts';
import type { PanelView } from '../../../src/shared/workspace/panel.ts';
import { post } from '../store/bridge.ts';
import { plural, t } from '../store/l10n.ts';
import { IconButton, Link } from '../ui/Button.tsx';
import { Row } from '../ui/Row.tsx';
import { localTime, usd, visible } from '../ui/text/format.ts';
import { conversationName } from '../ui/text/labels.ts';
import { ask, ProjectLinks, ProjectWait, Questions, Standstill } from './ProjectParts.tsx';
import { heldInAll, heldToday, projectIcon, spentToday, stateLabel } from './projectFacts.ts';
import { isArchived, takesMessages } from './talk/talkers.ts';

const PAGE = 25;

interface Of {
  readonly project: ProjectView;
}

const newMessages = (unread: number) => plural(unread, { one: '{0} new message', other: '{0} new messages' });
const talkTo = (project: string) => () => post({ kind: 'openConversation', project });

/** The actions that the project's status allows, in the order of a job's row. */
function Acts({ project: { name, status } }: Of) {
  const title = conversationName(name);
  const ordinary = name !== DEFAULT_PROJECT;
  return (
    <>
      <IconButton icon="comment" label={t('Conversation with {0}', title)} onPress={talkTo(name)} />
      {status === 'active' ? (
        <IconButton icon="debug-pause" label={t('Suspend {0}', title)} onPress={ask(name, 'suspend')} />
      ) : null}
      {ordinary && status === 'active' ? (
        <IconButton icon="check" label={t('Complete {0}…', title)} onPress={ask(name, 'complete')} />
      ) : null}
      {status === 'suspended' ? (
        <IconButton icon="debug-start" label={t('Resume {0}', title)} onPress={ask(name, 'resume')} />
      ) : null}
      {status === 'completed' ? (
        <IconButton icon="archive" label={t('Archive {0}…', title)} onPress={ask(name, 'archive')} />
      ) : null}
    </>
  );
}

function Facts({ project }: Of) {
  const { name, status, liveJobs, unread } = project;
  const spends = status === 'active' || project.todayUsd > 0;
  return (
    <p className="job-facts">
      <span>{stateLabel(project)}</span>
      {liveJobs === 0 ? null : <span>{plural(liveJobs, { one: '{0} job', other: '{0} jobs' })}</span>}
      {spends ? <span>{spentToday(project)}</span> : null}
      {heldToday(project).map((held) => (
        <span key={held}>{held}</span>
      ))}
      <Questions project={project} />
      {unread === 0 ? null : (
        <Link label={newMessages(unread)} describes={conversationName(name)} onPress={talkTo(name)} />
      )}
    </p>
  );
}

/** The expanded part of the row. */
function Parts({ project }: Of) {
  const { name, goal, workdir, model, jobs, totalUsd, createdAt } = project;
  return (
    <div className="job-parts">
      {goal === '' ? null : <p>{visible(goal)}</p>}
      <p className="muted">
        {[t('{0} in all', usd(totalUsd)), ...heldInAll(project)].join(', ')},{' '}
        {plural(jobs, { one: '{0} job', other: '{0} jobs' })}, {t('begun {0}', localTime(createdAt))}
      </p>
      {model === null ? null : <p className="muted">{t('Model {0}', visible(model))}</p>}
      {workdir === null ? null : (
        <p className="muted">
          {t('Works on')} <code>{visible(workdir)}</code>
        </p>
      )}
      <p className="row">
        {takesMessages(project) ? (
          <Link label={t('Message…')} describes={conversationName(name)} onPress={ask(name, 'message')} />
        ) : null}
        <ProjectLinks project={name} />
      </p>
    </div>
  );
}

function Project({ project }: Of) {
  const { name, status, parked, reason } = project;
  const title = conversationName(name);
  return (
    <Row
      className={`project project-${parked ? 'parked' : status} doing-${project.doing}`}
      icon={projectIcon(project)}
      title={title}
      parts={{ label: t('Details of {0}', title), shown: <Parts project={project} /> }}
      acts={<Acts project={project} />}
    >
      <Facts project={project} />
      {parked ? <Standstill project={project} /> : null}
      <ProjectWait project={project} />
      {!parked && reason !== null ? <p className="job-why muted">{visible(reason)}</p> : null}
    </Row>
  );
}

function Rows({ projects, label }: { readonly projects: readonly ProjectView[]; readonly label: string }) {
  const [shown, setShown] = useState(PAGE);
  return (
    <>
      <ul className="jobs" aria-label={label}>
        {projects.slice(0, shown).map((project) => (
          <Project key={project.name} project={project} />
        ))}
      </ul>
      {projects.length > shown ? (
        <p className="more">
          <Link
            label={t('Show {0} more of {1}', Math.min(PAGE, projects.length - shown), projects.length)}
            onPress={() => setShown(shown + PAGE)}
          />
        </p>
      ) : null}
    </>
  );
}

type ProjectsProps = Pick<PanelView, 'projects' | 'mainAgent'>;

export function Projects({ projects, mainAgent }: ProjectsProps) {
  const unread = mainAgent?.unread ?? 0;
  const archived = projects.filter(isArchived);
  const here = projects.filter((project) => !isArchived(project));
  return (
    <>
      <Rows projects={here} label={t('Projects')} />
      {archived.length === 0 ? null : (
        <details className="archived">
          <summary>{plural(archived.length, { one: '{0} archived', other: '{0} archived' })}</summary>
          <Rows projects={archived} label={t('Archived projects')} />
        </details>
      )}
      <p className="more row">
        <Link label={t('New Project…')} onPress={() => post({ kind: 'newProject' })} />
        <Link
          label={unread === 0 ? t('Main agent') : t('Main agent ({0})', unread)}
          describes={unread === 0 ? t('Conversation') : newMessages(unread)}
          onPress={talkTo(MAIN_PROJECT)}
        />
      </p>
    </>
  );
}
