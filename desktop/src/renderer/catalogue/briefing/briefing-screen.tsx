/** The briefing before a practice: scene, role, coach, objectives, useful words and mode. */
import { t } from '@parley/i18n';
import { CoursePlace } from '@parley/contract';
import { PracticeId } from '@parley/domain';
import { Card, IconButton, ObjectiveList, MutedText, Stack } from '@parley/ui';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams, useSearch } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { useHost } from '../../foundation/host/host-context.tsx';
import { QueryView, Screen } from '../../foundation/screen/screen.tsx';
import { useSpeaker } from '../../audio/index.ts';
import css from '../catalogue.module.css';
import { CoachCardView } from '../coach-card.tsx';
import { PracticeCover } from '../practice-card.tsx';
import { StartCard, type StartCardProps } from './start-card.tsx';

export function BriefingScreen(): ReactElement {
  const { queries } = useHost();
  const practiceId = PracticeId.safeParse(useParams({ strict: false }).practiceId);
  const { course, section } = useSearch({ strict: false });
  const place = CoursePlace.safeParse({ courseId: course, courseSectionId: section }).data ?? null;
  const input = practiceId.success ? { practiceId: practiceId.data } : null;
  const briefing = useQuery({
    ...queries.catalogue.briefing.queryOptions({
      input: input ?? { practiceId: PracticeId.parse(crypto.randomUUID()) },
    }),
  });
  const settings = useQuery(queries.settings.read.queryOptions());
  return (
    <Screen
      title={briefing.data?.card.title ?? t('Briefing')}
      isTitleEnglish={briefing.data !== undefined}
      {...(briefing.data === undefined
        ? {}
        : { intro: <span lang="en">{briefing.data.card.descriptionSummary}</span> })}
      action={
        place !== null && (
          <Link to="/courses/$courseId" params={{ courseId: place.courseId }}>
            {t('Back to the course')}
          </Link>
        )
      }
    >
      <QueryView query={briefing} loadingLabel={t('Loading the briefing')}>
        {(view) => (
          <QueryView query={settings} loadingLabel={t('Loading your settings')}>
            {({ device, profile }) => <Briefing view={view} device={device} profile={profile} place={place} />}
          </QueryView>
        )}
      </QueryView>
    </Screen>
  );
}

function Briefing({ view, device, profile, place }: StartCardProps): ReactElement {
  const { difficulty } = useSearch({ from: '/practise/$practiceId' });
  const speaker = useSpeaker();
  return (
    <div className={css['briefing']}>
      <Stack>
        <div>
          <p className={css['scenario']} lang="en">
            {view.scenario}
          </p>
          <MutedText>
            <span lang="en">{view.learnerRole}</span>
          </MutedText>
        </div>
        <Card>
          <h2>{t('Objectives')}</h2>
          <ObjectiveList objectives={view.objectives.map((objective) => ({ ...objective, provedBy: null }))} />
        </Card>
        <Card>
          <h2>{t('Useful words')}</h2>
          <ul className={css['words']}>
            {view.usefulWords.map(({ word, meaning }) => (
              <li key={word} className={css['word']}>
                <IconButton
                  icon="speaker"
                  label={t('Hear “{word}”', { word })}
                  onPress={() => void speaker.speak(word, view.coach.voice)}
                />
                <span lang="en">
                  <strong>{word}</strong>: {meaning}
                </span>
              </li>
            ))}
          </ul>
        </Card>
      </Stack>
      <div className={css['aside']}>
        <PracticeCover card={view.card} />
        <CoachCardView coach={view.coach}>
          <MutedText>
            <span lang="en">{view.coach.communicationStyle}</span>
          </MutedText>
        </CoachCardView>
        <StartCard view={view} device={device} profile={profile} place={place} asked={difficulty} />
      </div>
    </div>
  );
}
