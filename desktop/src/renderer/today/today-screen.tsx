/** Where a day begins: go on, or begin with what fits. */
import { planWords, type TodayView } from '@parley/contract';
import { Badge, Banner, Button, Card, Quiet, Row } from '@parley/ui';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { useSpeaker } from '../audio/index.ts';
import { PracticeCardView } from '../catalogue/index.ts';
import { useHost } from '../app/host-context.tsx';
import { Answered, Screen } from '../app/screen.tsx';
import { dayOf } from '../app/when.ts';
import css from './today.module.css';

export function TodayScreen(): ReactElement {
  const { queries } = useHost();
  const today = useQuery(queries.today.overview.queryOptions());
  return (
    <Screen title="Today">
      <Answered query={today} waiting="Loading today">
        {(view) => (
          <>
            <PlanInDanger />
            <Begin />
            <Week view={view} />
            {view.unfinished !== null && <Unfinished session={view.unfinished} />}
            {view.suggested !== null && <Suggested suggested={view.suggested} />}
            <WordsToTrain words={view.wordsToTrain} />
          </>
        )}
      </Answered>
    </Screen>
  );
}

/** A payment that failed, while there is time to do something about it. */
function PlanInDanger(): ReactElement | null {
  const { queries } = useHost();
  const navigate = useNavigate();
  const state = useQuery(queries.account.state.queryOptions()).data;
  if (state === undefined || state.known === null || state.isSignedOut) return null;
  const { warning } = planWords(state.known.account, dayOf);
  if (warning === null) return null;
  return (
    <Banner tone="warn" action={<Button onPress={() => void navigate({ to: '/plan' })}>See your plan</Button>}>
      {warning}
    </Banner>
  );
}

/** For who has just come, and for who waits for a live coach. */
function Begin(): ReactElement | null {
  const { queries } = useHost();
  const navigate = useNavigate();
  const profile = useQuery(queries.settings.read.queryOptions()).data?.profile;
  const state = useQuery(queries.account.state.queryOptions()).data;
  if (state?.liveAccess === 'waiting')
    return (
      <Banner action={<Button onPress={() => void navigate({ to: '/waiting' })}>What happens next</Button>}>
        A live coach has to wait until you are let in. Practices from the script, drills and review work now.
      </Banner>
    );
  if (state?.liveAccess === 'taken')
    return (
      <Banner tone="warn" action={<Button onPress={() => void navigate({ to: '/waiting' })}>What can be done</Button>}>
        Your access to this server was taken away, and a live coach with it. Practices from the script, drills and
        review work.
      </Banner>
    );
  if (profile === undefined || profile.hasSeenOnboarding) return null;
  return (
    <Card>
      <Row spread>
        <div>
          <h2>New here?</h2>
          <Quiet>Two minutes, and practices fit your work and your English. Nothing of it is needed.</Quiet>
        </div>
        <Button onPress={() => void navigate({ to: '/welcome', search: { step: 1 } })}>Set up Parley</Button>
      </Row>
    </Card>
  );
}

function Week({ view }: { view: TodayView }): ReactElement {
  return (
    <dl className={css['week']}>
      <div>
        <dt>Minutes this week</dt>
        <dd>{view.minutesThisWeek}</dd>
      </div>
      <div>
        <dt>Days in a row</dt>
        <dd>{view.streakDays}</dd>
      </div>
    </dl>
  );
}

function Unfinished({ session }: { session: NonNullable<TodayView['unfinished']> }): ReactElement {
  const navigate = useNavigate();
  return (
    <Card>
      <h2>Go on where you stopped</h2>
      <Row spread>
        <div>
          <h3>{session.title}</h3>
          <Quiet small>with {session.coachName}. Every word is kept.</Quiet>
        </div>
        <Button
          look="primary"
          icon="play"
          onPress={() => void navigate({ to: '/session/$sessionId', params: { sessionId: session.sessionId } })}
        >
          Continue
        </Button>
      </Row>
    </Card>
  );
}

function Suggested({ suggested }: { suggested: NonNullable<TodayView['suggested']> }): ReactElement | null {
  const { queries } = useHost();
  const card = useQuery(queries.catalogue.practices.queryOptions()).data?.find(
    ({ practiceId }) => practiceId === suggested.practiceId,
  );
  if (card === undefined) return null;
  return (
    <section className={css['suggested']} aria-labelledby="suggested">
      <h2 id="suggested">A good next practice</h2>
      <Quiet>{suggested.reason}</Quiet>
      <PracticeCardView card={card} isWide />
    </section>
  );
}

function WordsToTrain({ words }: { words: TodayView['wordsToTrain'] }): ReactElement {
  const speaker = useSpeaker();
  return (
    <Card>
      <h2>Words to train</h2>
      {words.length === 0 ? (
        <Quiet>A word that was hard for you in a spoken practice waits for you here.</Quiet>
      ) : (
        <ul className={css['words']}>
          {words.map((word) => (
            <li key={word.word}>
              <Button icon="speaker" onPress={() => void speaker.speak(word.word)}>
                {word.word}
              </Button>
              <Badge>{Math.round(word.accuracy)} of 100</Badge>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
