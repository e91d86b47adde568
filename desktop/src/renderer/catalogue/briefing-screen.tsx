/** Before a practice: the scene, the role, the coach, the objectives, useful words, and how to hold it. */
import { PracticeId } from '@parley/domain';
import { Card, IconButton, ObjectiveList, Quiet, Stack } from '@parley/ui';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { useHost } from '../app/host-context.tsx';
import { Answered, Screen } from '../app/screen.tsx';
import { useSpeaker } from '../audio/index.ts';
import css from './catalogue.module.css';
import { CoachCardView } from './coach-card.tsx';
import { StartCard, type StartCardProps } from './start-card.tsx';

export function BriefingScreen(): ReactElement {
  const { queries } = useHost();
  const practiceId = PracticeId.safeParse(useParams({ strict: false }).practiceId);
  const input = practiceId.success ? { practiceId: practiceId.data } : null;
  const briefing = useQuery({
    ...queries.catalogue.briefing.queryOptions({
      input: input ?? { practiceId: PracticeId.parse(crypto.randomUUID()) },
    }),
  });
  const settings = useQuery(queries.settings.read.queryOptions());
  return (
    <Screen
      title={briefing.data?.card.title ?? 'Briefing'}
      {...(briefing.data === undefined ? {} : { intro: briefing.data.card.descriptionSummary })}
    >
      <Answered query={briefing} waiting="Loading the briefing">
        {(view) => (
          <Answered query={settings} waiting="Loading your settings">
            {({ device, profile }) => <Briefing view={view} device={device} profile={profile} />}
          </Answered>
        )}
      </Answered>
    </Screen>
  );
}

function Briefing({ view, device, profile }: StartCardProps): ReactElement {
  const speaker = useSpeaker();
  return (
    <div className={css['briefing']}>
      <Stack>
        <Card>
          <p className={css['scenario']}>{view.scenario}</p>
          <Quiet>{view.learnerRole}</Quiet>
        </Card>
        <Card>
          <h2>Objectives</h2>
          <ObjectiveList objectives={view.objectives.map((objective) => ({ ...objective, provedBy: null }))} />
        </Card>
        <Card>
          <h2>Useful words</h2>
          <ul className={css['words']}>
            {view.usefulWords.map(({ word, meaning }) => (
              <li key={word} className={css['word']}>
                <IconButton
                  icon="speaker"
                  label={`Hear “${word}”`}
                  onPress={() => void speaker.speak(word, view.coach.voice)}
                />
                <span>
                  <strong>{word}</strong>: {meaning}
                </span>
              </li>
            ))}
          </ul>
        </Card>
      </Stack>
      <Stack>
        <CoachCardView coach={view.coach}>
          <Quiet>{view.coach.communicationStyle}</Quiet>
        </CoachCardView>
        <StartCard view={view} device={device} profile={profile} />
      </Stack>
    </div>
  );
}
