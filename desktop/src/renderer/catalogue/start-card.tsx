/** How a practice is held: by voice or in writing, with which coach, how hard; and in plain words what leaves this computer. */
import type { AiPlace, CoachKind, CoachOffer, DeviceSettings, PracticeBriefing, Profile } from '@parley/contract';
import type { CommunicationStyle, PracticeDifficulty, PracticeStyle } from '@parley/domain';
import { Banner, Button, Card, Quiet, Segments, Select, Switch } from '@parley/ui';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { useHost } from '../app/host-context.tsx';
import { FailureBanner } from '../app/screen.tsx';
import { useSaveSettings } from '../app/use-save-settings.ts';

export interface StartCardProps {
  view: PracticeBriefing;
  device: DeviceSettings;
  profile: Profile;
}

const DIFFICULTY_BY_LEVEL = { beginner: 'easy', intermediate: 'intermediate', advanced: 'hard' } as const;

export function StartCard({ view, device, profile }: StartCardProps): ReactElement {
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
  const canCall = coachKind === 'live' && style === 'audio' && offer !== null && offer.realtime !== null;
  const [practiceStyle, setPracticeStyle] = useState<PracticeStyle>(profile.practiceStyle ?? 'turn_based');
  const isCall = canCall && practiceStyle === 'ultra_realistic';
  const account = useQuery(queries.account.state.queryOptions()).data?.known?.account;
  // Writing costs no minutes.
  const counted =
    coachKind === 'live' && style === 'audio' ? ((isCall ? account?.calls : account?.live) ?? null) : null;
  const left = counted === null ? '' : `, ${Math.floor(counted.leftS / 60)} left of your plan`;
  const save = useSaveSettings();
  const start = useMutation({
    mutationFn: () =>
      client.practice.start({ practiceId: view.card.practiceId, difficulty, communicationStyle: style, coachKind }),
    onSuccess: ({ sessionId }) => {
      const next = isCall ? `/session/${sessionId}/call` : `/session/${sessionId}`;
      if (style === 'audio' && !device.microphoneChecked) return navigate({ to: '/microphone', search: { next } });
      return navigate({ to: next });
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
      {canCall && (
        <>
          <Segments<PracticeStyle>
            label="How do you take turns?"
            value={practiceStyle}
            onChange={(wanted) => {
              setPracticeStyle(wanted);
              save.profile({ practiceStyle: wanted });
            }}
            options={[
              { value: 'turn_based', label: 'One by one' },
              { value: 'ultra_realistic', label: 'As in a call' },
            ]}
          />
          {isCall &&
            (account?.calls?.allowedS === 0 ? (
              <Banner action={<Button onPress={() => void navigate({ to: '/plan' })}>See the plans</Button>}>
                Calls are part of the paid plans, and of the free week.
              </Banner>
            ) : (
              <Quiet small>You both speak when you like, and may interrupt. Headphones work best.</Quiet>
            ))}
        </>
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
              save.device({
                patienceMs: value === '1000' ? 1_000 : value === '2000' ? 2_000 : value === '3000' ? 3_000 : null,
              })
            }
            options={[
              { value: 'button', label: isCall ? 'when the coach feels that I am done' : 'when I press the button' },
              { value: '1000', label: 'after 1 second of silence' },
              { value: '2000', label: 'after 2 seconds of silence' },
              { value: '3000', label: 'after 3 seconds of silence' },
            ]}
          />
          {!isCall && (
            <Select
              label="The coach speaks"
              value={String(device.coachSpeed)}
              onChange={(value) => save.device({ coachSpeed: Number(value) })}
              options={[
                { value: '0.75', label: 'slowly' },
                { value: '1', label: 'at normal speed' },
                { value: '1.2', label: 'fast' },
              ]}
            />
          )}
          <Switch isSelected={device.captions} onChange={(captions) => save.device({ captions })}>
            Show what the coach says
          </Switch>
        </>
      )}
      {style === 'text' && <Banner>Writing needs no microphone. Your pronunciation is not scored.</Banner>}
      {start.isError && <FailureBanner error={start.error} />}
      <Button
        look="primary"
        large
        onPress={() => start.mutate()}
        isDisabled={start.isPending || (isCall && account?.calls?.allowedS === 0)}
      >
        Start
      </Button>
      <Quiet small>
        About {view.card.minutes} minutes{left}. {whereItRuns(offer, { coachKind, style, isCall })}
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
function whereItRuns(
  offer: CoachOffer | null,
  held: { coachKind: CoachKind; style: CommunicationStyle; isCall: boolean },
): string {
  if (held.coachKind === 'guided' || offer === null || offer.coach === null)
    return 'It works without internet and costs nothing.';
  if (held.isCall && offer.realtime !== null)
    return `Your voice goes to ${PLACE_NAMES[offer.realtime.where]} for as long as the call lasts. It is recorded and scored on this computer; no sound is kept there by us.`;
  const answers = PLACE_NAMES[offer.coach.where];
  if (held.style === 'text') return `The coach answers in its own words: what you write goes to ${answers}.`;
  const ears = offer.scorer ?? offer.transcriber;
  if (ears === null)
    return `The coach answers in its own words. Your voice stays here: you write down what you said, and that goes to ${answers}.`;
  return `The coach answers in its own words. Your voice goes to ${PLACE_NAMES[ears.where]}, to be written down, and your words to ${answers}, to be answered; no sound is kept there by us.`;
}
