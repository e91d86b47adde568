/** The briefing before a practice: scene, role, coach, objectives, useful words and mode. */
import { t } from '@parley/i18n';
import { CoursePlace } from '@parley/contract';
import { PracticeId } from '@parley/domain';
import { Card, IconButton, ObjectiveList, MutedText, Stack, typographic } from '@parley/ui';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams, useSearch } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { useHost } from '../../foundation/host/host-context.tsx';
import { explain, explainObjectives, Explanation } from '../../foundation/language/explanations.tsx';
import { QueryView, Screen } from '../../foundation/screen/screen.tsx';
import { useSpeaker } from '../../audio/index.ts';
import css from '../catalogue.module.css';
import { CoachCardView } from '../coach-card.tsx';
import { PracticeCover } from '../practice-card.tsx';
import { StartCard, type StartCardProps } from './start-card.tsx';

/** An address with an invalid id shows the same as one whose practice is gone. */
const NO_PRACTICE = PracticeId.parse(crypto.randomUUID());

export function BriefingScreen(): ReactElement {
  const { queries } = useHost();
  const practiceId = PracticeId.safeParse(useParams({ strict: false }).practiceId);
  const { course, section } = useSearch({ strict: false });
  const place = CoursePlace.safeParse({ courseId: course, courseSectionId: section }).data ?? null;
  const input = { practiceId: practiceId.success ? practiceId.data : NO_PRACTICE };
  const briefing = useQuery(queries.catalogue.briefing.queryOptions({ input }));
  const settings = useQuery(queries.settings.read.queryOptions());
  return (
    <Screen
      title={briefing.data?.card.title ?? t('Briefing')}
      isTitleEnglish={briefing.data !== undefined}
      {...(briefing.data === undefined
        ? {}
        : {
            intro: <Explanation english={briefing.data.card.descriptionSummary} coachName={briefing.data.coach.name} />,
          })}
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
  const scenario = explain(view.scenario, view.coach.name);
  return (
    <div className={css['briefing']}>
      <Stack>
        <div>
          <p className={css['scenario']} lang={scenario.lang}>
            {scenario.text}
          </p>
          <MutedText>
            <Explanation english={view.learnerRole} coachName={view.coach.name} />
          </MutedText>
        </div>
        {view.description !== '' && (
          <p className={css['description']}>
            <Explanation english={view.description} coachName={view.coach.name} />
          </p>
        )}
        <Card>
          <h2>{t('Objectives')}</h2>
          <ObjectiveList
            objectives={explainObjectives(view.objectives).map((objective) => ({ ...objective, provedBy: null }))}
          />
        </Card>
        {view.usefulWords.length > 0 && (
          <Card>
            <h2>{t('Useful words')}</h2>
            <ul className={css['words']}>
              {view.usefulWords.map(({ word, meaning }) => (
                <li key={word} className={css['word']}>
                  <IconButton
                    icon="speaker"
                    label={t('Hear “{word}”', { word: typographic(word) })}
                    onPress={() => void speaker.speak(word, view.coach.voice)}
                  />
                  <span>
                    <strong lang="en">{typographic(word)}</strong>: <Explanation english={meaning} />
                  </span>
                </li>
              ))}
            </ul>
          </Card>
        )}
      </Stack>
      <div className={css['aside']}>
        <PracticeCover card={view.card} />
        <CoachCardView coach={view.coach}>
          <MutedText>
            <Explanation english={view.coach.communicationStyle} />
          </MutedText>
        </CoachCardView>
        <StartCard view={view} device={device} profile={profile} place={place} asked={difficulty} />
      </div>
    </div>
  );
}
