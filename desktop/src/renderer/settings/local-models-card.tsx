/** Offers local models as coach and transcriber; they are used only with the learner's consent. */
import { t } from '@parley/i18n';
import type { DeviceSettings, LocalModel, LocalPart } from '@parley/contract';
import { Banner, Button, Card, MutedText, Row, Select, Stack } from '@parley/ui';
import { useQuery } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { useHost } from '../foundation/host/host-context.tsx';
import { PROVIDER_NAMES, shortModelName } from '../foundation/sentences/local-model-names.ts';
import { SavedNotice } from '../foundation/screen/saved-notice.tsx';
import { sectionHeadingId } from '../foundation/screen/settings-sections.ts';
import { useSaveSettings } from '../foundation/host/use-save-settings.ts';
import { useScrollToSection } from '../foundation/screen/use-scroll-to-section.ts';

const SETTING_BY_PART = { coach: 'localCoach', transcriber: 'localTranscriber' } as const satisfies Record<
  LocalPart,
  keyof DeviceSettings
>;

/** Null when there is nothing to choose, because the server runs elsewhere or has its own coach. */
export function LocalModelsCard(): ReactElement | null {
  const { queries } = useHost();
  const device = useQuery(queries.settings.read.queryOptions()).data?.device;
  // Refetched because Ollama may have been started since.
  const found = useQuery(queries.coach.local.queryOptions({ refetchOnMount: 'always' }));
  useScrollToSection('coach', device !== undefined && found.data !== undefined);
  if (device === undefined || found.data === undefined) return null;
  const { isPossible, coaches, transcribers } = found.data;
  const hasChosen = device.localCoach !== null || device.localTranscriber !== null;
  if (!isPossible && !hasChosen) return null;
  const refresh = (): void => void found.refetch();
  const hasNoModels = coaches.length === 0 && transcribers.length === 0 && !hasChosen;
  return (
    <Card>
      <h2 id={sectionHeadingId('coach')} tabIndex={-1}>
        {t('Models on this computer')}
      </h2>
      {hasNoModels ? (
        <>
          <MutedText>
            {t(
              'No language model was found on this computer. Start Ollama or LM Studio with one, and it can be your coach here.',
            )}
          </MutedText>
          <Row>
            <Button onPress={refresh} isDisabled={found.isFetching}>
              {t('Search again')}
            </Button>
          </Row>
        </>
      ) : (
        <Stack>
          <LocalModelPart part="coach" chosen={device.localCoach} models={coaches} onRefresh={refresh} />
          {(transcribers.length > 0 || device.localTranscriber !== null) && (
            <LocalModelPart
              part="transcriber"
              chosen={device.localTranscriber}
              models={transcribers}
              onRefresh={refresh}
            />
          )}
        </Stack>
      )}
    </Card>
  );
}

interface LocalModelPartProps {
  part: LocalPart;
  chosen: LocalModel | null;
  models: readonly LocalModel[];
  onRefresh: () => void;
}

const isSame = (one: LocalModel, other: LocalModel): boolean =>
  one.provider === other.provider && one.model === other.model;

function LocalModelPart({ part, chosen, models, onRefresh }: LocalModelPartProps): ReactElement | null {
  const save = useSaveSettings();
  const keep = (model: LocalModel | null): void => save.device({ [SETTING_BY_PART[part]]: model });
  return (
    <Stack tight>
      {chosen === null ? (
        <LocalModelOffer part={part} models={models} onChoose={keep} />
      ) : (
        <>
          {models.some((model) => isSame(model, chosen)) ? (
            <MutedText>{IN_USE_TEXT[part](chosen)}</MutedText>
          ) : (
            <Banner tone="warn" action={<Button onPress={onRefresh}>{t('Search again')}</Button>}>
              {t('{chosen} wasn’t found. Start {name} and check that it has this model, or stop using it.', {
                chosen: shortModelName(chosen),
                name: PROVIDER_NAMES[chosen.provider],
              })}
            </Banner>
          )}
          <Row>
            <Button onPress={() => keep(null)}>{STOP_LABEL[part]}</Button>
          </Row>
        </>
      )}
      <SavedNotice save={save} />
    </Stack>
  );
}

const IN_USE_TEXT: Record<LocalPart, (model: LocalModel) => string> = {
  coach: (model) =>
    t('{model} in {name} is the coach you talk with freely. What you say to it doesn’t leave this computer.', {
      model: shortModelName(model),
      name: PROVIDER_NAMES[model.provider],
    }),
  transcriber: (model) =>
    t('{model} in {name} transcribes what you say to a coach. Your voice doesn’t leave this computer for that.', {
      model: shortModelName(model),
      name: PROVIDER_NAMES[model.provider],
    }),
};
const STOP_LABEL: Record<LocalPart, string> = {
  coach: t('Stop using it as your coach'),
  transcriber: t('Stop using it for your voice'),
};
const USE_LABEL: Record<LocalPart, (name: string) => string> = {
  coach: (name) => t('Use {name} on this computer as your coach', { name }),
  transcriber: (name) => t('Use {name} for your voice', { name }),
};
const EXPLANATION: Record<LocalPart, string> = {
  coach: t('Your coach can then answer freely. Nothing you say leaves this computer. Small models make more mistakes.'),
  transcriber: t(
    'It transcribes what you say to a coach, so you don’t have to type it. Your voice doesn’t leave this computer.',
  ),
};

function LocalModelOffer(props: {
  part: LocalPart;
  models: readonly LocalModel[];
  onChoose: (model: LocalModel) => void;
}) {
  const { part, models, onChoose } = props;
  const [selectedIndex, setSelectedIndex] = useState(0);
  const model = models[selectedIndex] ?? models[0];
  if (model === undefined)
    return <MutedText small>{t('Parley found no model on this computer that can be your coach.')}</MutedText>;
  return (
    <>
      {models.length > 1 && (
        <Select
          label={part === 'coach' ? t('Coach models found') : t('Transcription models found')}
          value={String(models.indexOf(model))}
          onChange={(at) => setSelectedIndex(Number(at))}
          options={models.map((each, at) => ({
            value: String(at),
            label: `${shortModelName(each)} (${PROVIDER_NAMES[each.provider]})`,
          }))}
        />
      )}
      <Row>
        <Button onPress={() => onChoose(model)}>{USE_LABEL[part](shortModelName(model))}</Button>
      </Row>
      <MutedText small>{EXPLANATION[part]}</MutedText>
    </>
  );
}
