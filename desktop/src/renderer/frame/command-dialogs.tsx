/** The dialogs of the command palette: any screen or practice, actions, and the list of shortcuts. */
import { t } from '@parley/i18n';
import { CommandList, Dialog } from '@parley/ui';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { useHost } from '../foundation/host/host-context.tsx';
import { useSaveSettings } from '../foundation/host/use-save-settings.ts';
import { Shortcuts } from '../help/index.ts';
import { matchesCommand } from './matches-command.ts';

export type ShownDialog = 'commands' | 'shortcuts' | null;

interface Command {
  title: string;
  run: () => void;
}

export function CommandDialogs(props: { shown: ShownDialog; onShow: (shown: ShownDialog) => void }): ReactElement {
  const { shown, onShow } = props;
  const close = (): void => onShow(null);
  return (
    <>
      <Dialog title={t('Go to')} isOpen={shown === 'commands'} onClose={close}>
        <Commands onDone={close} onShortcuts={() => onShow('shortcuts')} />
      </Dialog>
      <Dialog title={t('Keyboard shortcuts')} isOpen={shown === 'shortcuts'} onClose={close}>
        <Shortcuts />
      </Dialog>
    </>
  );
}

function Commands({ onDone, onShortcuts }: { onDone: () => void; onShortcuts: () => void }): ReactElement {
  const navigate = useNavigate();
  const { client, queries } = useHost();
  const save = useSaveSettings();
  const practices = useQuery(queries.catalogue.practices.queryOptions());
  const hasServer = typeof useQuery(queries.server.read.queryOptions()).data?.url === 'string';
  const navigateTo = (
    to:
      | '/'
      | '/practise'
      | '/courses'
      | '/drills'
      | '/shadow'
      | '/review'
      | '/progress'
      | '/history'
      | '/blog'
      | '/coach'
      | '/settings'
      | '/microphone'
      | '/help',
  ): (() => void) => {
    return () => void navigate({ to });
  };
  const commands: Command[] = [
    { title: t('Today'), run: navigateTo('/') },
    { title: t('Practise'), run: navigateTo('/practise') },
    { title: t('Courses'), run: navigateTo('/courses') },
    { title: t('Drills'), run: navigateTo('/drills') },
    { title: t('Shadowing'), run: navigateTo('/shadow') },
    { title: t('Review'), run: navigateTo('/review') },
    { title: t('Progress'), run: navigateTo('/progress') },
    { title: t('Coach'), run: navigateTo('/coach') },
    { title: t('History'), run: navigateTo('/history') },
    { title: t('Blog'), run: navigateTo('/blog') },
    { title: t('Settings'), run: navigateTo('/settings') },
    { title: t('Help'), run: navigateTo('/help') },
    { title: t('Check the microphone'), run: navigateTo('/microphone') },
    ...(hasServer ? [{ title: t('Sync now'), run: () => void client.sync.run() }] : []),
    { title: t('Use dark colours'), run: () => save.device({ theme: 'dark' }) },
    { title: t('Use light colours'), run: () => save.device({ theme: 'light' }) },
    { title: t('Larger text'), run: () => save.device({ textSize: 'larger' }) },
    { title: t('Normal text'), run: () => save.device({ textSize: 'normal' }) },
    { title: t('Keyboard shortcuts'), run: onShortcuts },
    ...(practices.data ?? []).map((card) => ({
      title: card.title,
      run: () => void navigate({ to: '/practise/$practiceId', params: { practiceId: card.practiceId } }),
    })),
  ];
  return (
    <CommandList
      label={t('Screen or practice')}
      placeholder={t('Type the name of a screen or practice')}
      emptyText={t('No match. Try another word.')}
      commands={commands.map(({ title }, index) => ({ id: String(index), title }))}
      matches={matchesCommand}
      onRun={(id) => {
        onDone();
        commands[Number(id)]?.run();
      }}
    />
  );
}
