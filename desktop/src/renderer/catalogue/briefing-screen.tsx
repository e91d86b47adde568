/** Before a practice: the scene, the role, the coach, the objectives, useful words, and how to hold it. */
import type { AiPlace, CoachKind, CoachOffer, DeviceSettings, PracticeBriefing, Profile } from '@parley/contract';
import { type CommunicationStyle, PracticeId, type PracticeDifficulty } from '@parley/domain';
import {
  Avatar,
  Banner,
  Button,
  Card,
  IconButton,
  ObjectiveList,
  Quiet,
  Row,
  Segments,
  Select,
  Switch,
} from '@parley/ui';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { useHost } from '../app/host-context.tsx';
import { Answered, FailureBanner, Screen } from '../app/screen.tsx';
import { useSpeaker } from '../audio/index.ts';
import css from './catalogue.module.css';

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

interface BriefingProps {
  view: PracticeBriefing;
  device: DeviceSettings;
  profile: Profile;
}

const DIFFICULTY_BY_LEVEL = { beginner: 'easy', intermediate: 'intermediate', advanced: 'hard' } as const;

function Briefing({ view, device, profile }: BriefingProps): ReactElement {
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

function StartCard({ view, device, profile }: BriefingProps): ReactElement {
  const { client, queries } = useHost();
  const navigate = useNavigate();
  const [style, setStyle] = useState<CommunicationStyle>('audio');
  const [difficulty, setDifficulty] = useState<PracticeDifficulty>(
    profile.practiceDifficulty ?? DIFFICULTY_BY_LEVEL[profile.englishLevel ?? view.card.level],
  );
  const offer = useQuery(queries.coach.offer.queryOptions()).data ?? null;
  const [wished, setCoachKind] = useState<CoachKind | null>(null);
  const canTalk = offer !== null && offer.coach !== null;
  // What can only be held with a live coach, or was asked for, is held with one when there is one.
  const coachKind: CoachKind = canTalk ? (wished ?? 'live') : 'guided';
  const update = useMutation(
    queries.settings.updateDevice.mutationOptions({
      onSuccess: (_data, _input, _result, { client: cache }) =>
        cache.invalidateQueries({ queryKey: queries.settings.key() }),
    }),
  );
  const start = useMutation({
    mutationFn: () =>
      client.practice.start({ practiceId: view.card.practiceId, difficulty, communicationStyle: style, coachKind }),
    onSuccess: ({ sessionId }) => {
      const next = `/session/${sessionId}`;
      if (style === 'audio' && !device.microphoneChecked) return navigate({ to: '/microphone', search: { next } });
      return navigate({ to: '/session/$sessionId', params: { sessionId } });
    },
  });
  return (
    <Card>
      <Segments<CommunicationStyle>
        label="How do you want to practise?"
        value={style}
        onChange={setStyle}
        options={[
          { value: 'audio', label: 'By voice' },
          { value: 'text', label: 'In writing' },
        ]}
      />
      {canTalk && (
        <Segments<CoachKind>
          label="How does the coach answer?"
          value={coachKind}
          onChange={setCoachKind}
          options={[
            { value: 'live', label: 'Freely' },
            { value: 'guided', label: 'From the script' },
          ]}
        />
      )}
      <Segments<PracticeDifficulty>
        label="Difficulty"
        value={difficulty}
        onChange={setDifficulty}
        options={[
          { value: 'easy', label: 'Easy' },
          { value: 'intermediate', label: 'Medium' },
          { value: 'hard', label: 'Hard' },
        ]}
      />
      {style === 'audio' && (
        <>
          <Select
            label="Your turn ends"
            value={device.patienceMs === null ? 'button' : String(device.patienceMs)}
            onChange={(value) =>
              update.mutate({
                patienceMs: value === '1000' ? 1_000 : value === '2000' ? 2_000 : value === '3000' ? 3_000 : null,
              })
            }
            options={[
              { value: 'button', label: 'when I press the button' },
              { value: '1000', label: 'after 1 second of silence' },
              { value: '2000', label: 'after 2 seconds of silence' },
              { value: '3000', label: 'after 3 seconds of silence' },
            ]}
          />
          <Select
            label="The coach speaks"
            value={String(device.coachSpeed)}
            onChange={(value) => update.mutate({ coachSpeed: Number(value) })}
            options={[
              { value: '0.75', label: 'slowly' },
              { value: '1', label: 'at normal speed' },
              { value: '1.2', label: 'fast' },
            ]}
          />
          <Switch isSelected={device.captions} onChange={(captions) => update.mutate({ captions })}>
            Show what the coach says
          </Switch>
        </>
      )}
      {style === 'text' && <Banner>Writing needs no microphone. Your pronunciation is not scored.</Banner>}
      {start.isError && <FailureBanner error={start.error} />}
      <Button look="primary" large onPress={() => start.mutate()} isDisabled={start.isPending}>
        Start
      </Button>
      <Quiet small>
        About {view.card.minutes} minutes. {whereItRuns(offer, { coachKind, style })}
      </Quiet>
    </Card>
  );
}

const PLACE_NAMES: Record<AiPlace, string> = {
  openai: 'OpenAI, through your server',
  azure: 'Microsoft Azure, through your server',
  own: 'a model on your own server',
};

/** In plain words: what leaves this computer, and to whom. */
function whereItRuns(offer: CoachOffer | null, held: { coachKind: CoachKind; style: CommunicationStyle }): string {
  if (held.coachKind === 'guided' || offer === null || offer.coach === null)
    return 'It works without internet and costs nothing.';
  const answers = PLACE_NAMES[offer.coach.where];
  if (held.style === 'text') return `The coach answers in its own words: what you write goes to ${answers}.`;
  const ears = offer.scorer ?? offer.transcriber;
  if (ears === null)
    return `The coach answers in its own words. Your voice stays here: you write down what you said, and that goes to ${answers}.`;
  return `The coach answers in its own words. Your voice goes to ${PLACE_NAMES[ears.where]}, to be written down, and your words to ${answers}, to be answered; no sound is kept there by us.`;
}
