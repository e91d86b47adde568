/** Before a practice: the scene, the role, the coach, the objectives, useful words, and how to hold it. */
import { PracticeId } from '@parley/domain';
import { Avatar, Card, IconButton, ObjectiveList, Quiet, Row } from '@parley/ui';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { useHost } from '../app/host-context.tsx';
import { Answered, Screen } from '../app/screen.tsx';
import { useSpeaker } from '../audio/index.ts';
import css from './catalogue.module.css';
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
      <div className={css['choices']}>
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
          <ul className={css['choices']}>
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
      </div>
      <div className={css['choices']}>
        <Card>
          <Row>
            <Avatar src={view.coach.avatarUrl} size={56} />
            <div>
              <h2>{view.coach.name}</h2>
              <Quiet small>{view.coach.characterTraits.join(', ')}</Quiet>
            </div>
          </Row>
          <Quiet>{view.coach.communicationStyle}</Quiet>
        </Card>
        <StartCard view={view} device={device} profile={profile} />
      </div>
    </div>
  );
}
