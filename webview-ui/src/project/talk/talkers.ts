/** The speakers, and the list of conversations. Pure. */

import { MAIN_PROJECT } from '../../../../src/shared/project/projects.ts';
import type { ConversationMessage, ProjectView } from '../../../../src/shared/project/projectView.ts';
import type { PanelView } from '../../../../src/shared/workspace/panel.ts';
import { t } from '../../store/l10n.ts';
import type { IconName } from '../../ui/Icon.tsx';
import { conversationName } from '../../ui/text/labels.ts';

export interface Speaker {
  readonly name: string;
  readonly icon: IconName;
  readonly you: boolean;
}

/** The speaker of a message in the conversation of `project`. */
export function speakerOf(project: string, { direction, sender, relayedFrom }: ConversationMessage): Speaker {
  const agent = (of: string): Speaker => ({
    name: conversationName(of),
    icon: of === MAIN_PROJECT ? 'hubot' : 'project',
    you: false,
  });
  if (direction === 'out' && sender !== 'engine' && sender !== 'task') return agent(project);
  switch (sender) {
    case 'steward':
      return { name: t('You'), icon: 'account', you: true };
    case 'main':
      return agent(MAIN_PROJECT);
    case 'project':
      return agent(relayedFrom ?? project);
    case 'task':
      return { name: t('Task'), icon: 'gear', you: false };
    case 'heartbeat':
      return { name: t('Heartbeat'), icon: 'pulse', you: false };
    case 'engine':
      return { name: t('Autonomous'), icon: 'gear', you: false };
  }
}

export interface Conversation {
  readonly project: string;
  /** null for the main agent before its first message. */
  readonly view: ProjectView | null;
}

/** The main agent first, then projects that are not archived, then archived ones. */
export function conversationsOf({ projects, mainAgent }: Pick<PanelView, 'projects' | 'mainAgent'>): {
  readonly current: readonly Conversation[];
  readonly archived: readonly Conversation[];
} {
  const talk = (view: ProjectView): Conversation => ({ project: view.name, view });
  const [gone, here] = [projects.filter(isArchived), projects.filter((view) => !isArchived(view))];
  return { current: [{ project: MAIN_PROJECT, view: mainAgent }, ...here.map(talk)], archived: gone.map(talk) };
}

export const isArchived = ({ status }: ProjectView): boolean => status === 'archived';

/** Nothing reaches one that is completed or archived. */
export function takesMessages(view: ProjectView | null): boolean {
  return view === null || view.status === 'active' || view.status === 'suspended';
}

export function unreadOf({ projects, mainAgent }: Pick<PanelView, 'projects' | 'mainAgent'>): number {
  return projects.reduce((sum, { unread }) => sum + unread, mainAgent?.unread ?? 0);
}
