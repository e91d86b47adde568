/** The first question of a new installation: where the learner's work is kept. */
import { t } from '@parley/i18n';
import type { ServerChoice } from '@parley/contract';
import { Address, Button, MutedText } from '@parley/ui';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { clearAccountCache } from '../foundation/host/clear-account-cache.ts';
import { useHost } from '../foundation/host/host-context.tsx';
import { LanguageSelect } from '../foundation/language/language-select.tsx';
import { ErrorBanner, Screen } from '../foundation/screen/screen.tsx';
import { isOnThisComputer } from './is-on-this-computer.ts';
import { ServerField } from './server-field.tsx';
import css from './server-choice.module.css';

/** A server on this computer cannot be reached from another one, so the work is not "on all your computers". */
const suggestionSentence = (url: string): string =>
  isOnThisComputer(url)
    ? t('It runs on this computer too, so your work stays here. It may offer live coaches.')
    : t('It keeps your work on all your computers, and may offer live coaches.');

export function FirstChoiceScreen({ choice: { suggestedUrl } }: { choice: ServerChoice }): ReactElement {
  const { client } = useHost();
  const cache = useQueryClient();
  const choose = useMutation({
    mutationFn: (url: string | null) => client.server.change({ url }),
    onSuccess: () => clearAccountCache(cache),
  });
  return (
    <Screen
      title={t('Where should Parley keep your work?')}
      intro={t('Nothing leaves this computer until you choose. You can change this later, in Settings.')}
    >
      <div className={css['choices']}>
        {suggestedUrl !== null && (
          <section>
            <h2>{t('With the server that came with Parley')}</h2>
            <p>
              <Address>{suggestedUrl}</Address>
            </p>
            <MutedText>{suggestionSentence(suggestedUrl)}</MutedText>
            <Button variant="primary" onPress={() => choose.mutate(suggestedUrl)} isDisabled={choose.isPending}>
              {t('Use this server')}
            </Button>
          </section>
        )}
        <section>
          <h2>{t('Only on this computer')}</h2>
          <MutedText>{t('No account and no network. Guided coaches, drills, review and scores all work.')}</MutedText>
          <Button
            {...(suggestedUrl === null ? { variant: 'primary' as const } : {})}
            onPress={() => choose.mutate(null)}
            isDisabled={choose.isPending}
          >
            {t('Only on this computer')}
          </Button>
        </section>
        <section>
          <h2>{t('With my school’s server')}</h2>
          <ServerField label={t('Address of the server')} />
        </section>
      </div>
      {choose.isError && <ErrorBanner error={choose.error} />}
      <div className={css['narrow']}>
        <LanguageSelect />
      </div>
    </Screen>
  );
}
