/** Models on this computer as coach and transcriber: offered where they are found, used only when the learner agrees, and given up at any time. */
import type { DeviceSettings, LocalModel, LocalPart } from '@parley/contract';
import { Banner, Button, Card, Quiet, Row, Select, Stack } from '@parley/ui';
import { useQuery } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { useHost } from '../app/host-context.tsx';
import { PROVIDER_NAMES, shortName } from '../app/local-model-names.ts';
import { FailureBanner } from '../app/screen.tsx';
import { idOfPart } from '../app/show-settings-part.ts';
import { useSaveSettings } from '../app/use-save-settings.ts';
import { useShownPart } from './use-shown-part.ts';

const KEPT_AS = { coach: 'localCoach', transcriber: 'localTranscriber' } as const satisfies Record<
  LocalPart,
  keyof DeviceSettings
>;

/** Null where there is neither a choice nor anything to choose from: the server is elsewhere, or has a coach of its own. */
export function LocalModelsCard(): ReactElement | null {
  const { queries } = useHost();
  const device = useQuery(queries.settings.read.queryOptions()).data?.device;
  // Ollama may have been started a moment ago.
  const found = useQuery(queries.coach.local.queryOptions({ refetchOnMount: 'always' }));
  useShownPart('coach', device !== undefined && found.data !== undefined);
  if (device === undefined || found.data === undefined) return null;
  const { isPossible, coaches, transcribers } = found.data;
  const hasChosen = device.localCoach !== null || device.localTranscriber !== null;
  if (!isPossible && !hasChosen) return null;
  const lookAgain = (): void => void found.refetch();
  const isNothing = coaches.length === 0 && transcribers.length === 0 && !hasChosen;
  return (
    <Card>
      <h2 id={idOfPart('coach')} tabIndex={-1}>
        Models on this computer
      </h2>
      {isNothing ? (
        <>
          <Quiet>
            No language model was found on this computer. Start Ollama or LM Studio with one, and it can be your coach
            here.
          </Quiet>
          <Row>
            <Button onPress={lookAgain} isDisabled={found.isFetching}>
              Look again
            </Button>
          </Row>
        </>
      ) : (
        <Stack>
          <Part part="coach" chosen={device.localCoach} models={coaches} onLookAgain={lookAgain} />
          {(transcribers.length > 0 || device.localTranscriber !== null) && (
            <Part part="transcriber" chosen={device.localTranscriber} models={transcribers} onLookAgain={lookAgain} />
          )}
        </Stack>
      )}
    </Card>
  );
}

interface PartProps {
  part: LocalPart;
  chosen: LocalModel | null;
  models: readonly LocalModel[];
  onLookAgain: () => void;
}

const isSame = (one: LocalModel, other: LocalModel): boolean =>
  one.provider === other.provider && one.model === other.model;

function Part({ part, chosen, models, onLookAgain }: PartProps): ReactElement | null {
  const save = useSaveSettings();
  const keep = (model: LocalModel | null): void => save.device({ [KEPT_AS[part]]: model });
  return (
    <Stack tight>
      {chosen === null ? (
        <Offered part={part} models={models} onChoose={keep} />
      ) : (
        <>
          {models.some((model) => isSame(model, chosen)) ? (
            <Quiet>{IN_USE[part](chosen)}</Quiet>
          ) : (
            <Banner tone="warn" action={<Button onPress={onLookAgain}>Look again</Button>}>
              {shortName(chosen)} was not found. Start {PROVIDER_NAMES[chosen.provider]} and check that it has this
              model, or stop using it.
            </Banner>
          )}
          <Row>
            <Button onPress={() => keep(null)}>{STOP[part]}</Button>
          </Row>
        </>
      )}
      {save.error !== null && <FailureBanner error={save.error} />}
    </Stack>
  );
}

const IN_USE: Record<LocalPart, (model: LocalModel) => string> = {
  coach: (model) =>
    `${shortName(model)} in ${PROVIDER_NAMES[model.provider]} is the coach you talk with freely. What you say to it does not leave this computer.`,
  transcriber: (model) =>
    `${shortName(model)} in ${PROVIDER_NAMES[model.provider]} writes down what you say to a coach. Your voice does not leave this computer for that.`,
};
const STOP: Record<LocalPart, string> = {
  coach: 'Stop using it as your coach',
  transcriber: 'Stop using it for your voice',
};
const OFFER: Record<LocalPart, (name: string) => string> = {
  coach: (name) => `Use ${name} on this computer as your coach`,
  transcriber: (name) => `Use ${name} for your voice`,
};
const WHAT_IT_MEANS: Record<LocalPart, string> = {
  coach:
    'Then a coach can answer you freely. It gets what you say in such a conversation, and nothing leaves this computer. Small models make more mistakes.',
  transcriber:
    'It writes down what you say to a coach, so that you need not type it. Your voice does not leave this computer.',
};

function Offered(props: { part: LocalPart; models: readonly LocalModel[]; onChoose: (model: LocalModel) => void }) {
  const { part, models, onChoose } = props;
  const [wished, setWished] = useState(0);
  const model = models[wished] ?? models[0];
  if (model === undefined)
    return <Quiet small>No model that can be your coach was found on this computer just now.</Quiet>;
  return (
    <>
      {models.length > 1 && (
        <Select
          label={part === 'coach' ? 'Found on this computer' : 'Found to write down what you say'}
          value={String(models.indexOf(model))}
          onChange={(at) => setWished(Number(at))}
          options={models.map((each, at) => ({
            value: String(at),
            label: `${shortName(each)} (${PROVIDER_NAMES[each.provider]})`,
          }))}
        />
      )}
      <Row>
        <Button onPress={() => onChoose(model)}>{OFFER[part](shortName(model))}</Button>
      </Row>
      <Quiet small>{WHAT_IT_MEANS[part]}</Quiet>
    </>
  );
}
