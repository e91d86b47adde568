/** The last onboarding step: a suggested practice. */
import { t } from '@parley/i18n';
import { joinSentences } from '@parley/domain';
import { Button, MutedText } from '@parley/ui';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactElement, useEffect, useRef } from 'react';
import { useHost } from '../foundation/host/host-context.tsx';
import { useSaveSettings } from '../foundation/host/use-save-settings.ts';
import { Loading } from '../foundation/screen/screen.tsx';
import { suggestionSentence } from '../foundation/sentences/suggestion-sentence.ts';
import { PracticeCardView } from '../catalogue/index.ts';

export function FirstPracticeStep(): ReactElement {
  const { queries } = useHost();
  const navigate = useNavigate();
  const save = useSaveSettings();
  const today = useQuery(queries.today.overview.queryOptions()).data;
  const practices = useQuery(queries.catalogue.practices.queryOptions()).data;
  // Reaching the last step completes the onboarding.
  const { profile } = save;
  const isRecorded = useRef(false);
  useEffect(() => {
    if (isRecorded.current) return;
    isRecorded.current = true;
    profile({ hasSeenOnboarding: true });
  }, [profile]);
  if (today === undefined || practices === undefined)
    return <Loading label={t('Choosing a practice')} comesFrom="computer" />;
  const card = practices.find(({ practiceId }) => practiceId === today.suggested?.practiceId) ?? practices[0];
  if (card === undefined)
    return (
      <>
        <MutedText>{t('There are no practices here yet.')}</MutedText>
        <div>
          <Button variant="primary" large onPress={() => void navigate({ to: '/' })}>
            {t('Go to Today')}
          </Button>
        </div>
      </>
    );
  return (
    <>
      <MutedText>
        {joinSentences(t, [
          today.suggested === null ? t('A good one to start with.') : suggestionSentence(today.suggested.reason),
          t('It works without internet.'),
        ])}
      </MutedText>
      <PracticeCardView card={card} isRow headingLevel={2} />
      <div>
        <Button
          variant="speak"
          icon="microphone"
          large
          onPress={() => void navigate({ to: '/practise/$practiceId', params: { practiceId: card.practiceId } })}
        >
          {t('Answer {coachName}', { coachName: card.coachName })}
        </Button>
      </div>
    </>
  );
}
