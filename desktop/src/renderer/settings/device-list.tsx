/** Lists the account's devices, signs out one that was lost or given away, and shows whether its data was deleted. */
import { formatLocale, t } from '@parley/i18n';
import type { AccountDevice, DeviceWipes } from '@parley/contract';
import { Button, Dialog, Icon, MutedText, Row } from '@parley/ui';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { useHost } from '../foundation/host/host-context.tsx';
import { ErrorBanner } from '../foundation/screen/screen.tsx';
import { formatDateTime } from '../foundation/sentences/format-date.ts';
import css from './settings.module.css';
import { WipeDevice } from './wipe-device.tsx';

const WATCH_PENDING_MS = 15_000;

/** Shown only while the server is reachable, because every action here needs it. */
export function DeviceList(): ReactElement | null {
  const { queries } = useHost();
  const cache = useQueryClient();
  const [deviceToSignOut, setDeviceToSignOut] = useState<AccountDevice | null>(null);
  const [deviceToWipe, setDeviceToWipe] = useState<AccountDevice | null>(null);
  const status = useQuery(queries.sync.status.queryOptions());
  const isConnected = status.data !== undefined && ['idle', 'pushing', 'pulling'].includes(status.data.state);
  const devices = useQuery(queries.account.devices.queryOptions({ enabled: isConnected, retry: false }));
  const wipes = useQuery(
    queries.account.deviceWipes.queryOptions({
      enabled: isConnected,
      refetchInterval: ({ state: { data } }) => (data?.wipes.some(isPending) === true ? WATCH_PENDING_MS : false),
    }),
  ).data;
  const email = useQuery(queries.account.state.queryOptions()).data?.known?.account.email ?? null;
  const revoke = useMutation(
    queries.account.revokeDevice.mutationOptions({
      onSuccess: (left) => {
        cache.setQueryData(queries.account.devices.queryKey(), left);
        setDeviceToSignOut(null);
      },
    }),
  );
  if (!isConnected || devices.data === undefined) return null;
  const canWipe = wipes?.wipeable.some((deviceId) => deviceId === deviceToSignOut?.deviceId) === true;
  return (
    <>
      <ul className={css['devices']} aria-label={t('Devices on this account')}>
        {devices.data.map((device) => (
          <li key={device.deviceId} className={css['device']}>
            <Icon name="computer" />
            <span>
              {device.name}
              <MutedText small>
                {device.isThis
                  ? t('This device')
                  : t('Last seen {lastSeenAt}', { lastSeenAt: formatLastSeen(device.lastSeenAt) })}
              </MutedText>
            </span>
            {!device.isThis && (
              <Button variant="quiet" onPress={() => setDeviceToSignOut(device)}>
                {t('Sign out')}
              </Button>
            )}
          </li>
        ))}
        {wipes?.wipes.map((wiped) => (
          <li key={`${wiped.deviceId} ${wiped.requestedAt}`} className={css['device']}>
            <Icon name="computer" />
            <span>
              {wiped.name}
              <MutedText small>{wipeSentence(wiped)}</MutedText>
            </span>
          </li>
        ))}
      </ul>
      <Dialog
        title={t('Sign out {value}?', { value: deviceToSignOut?.name ?? '' })}
        isOpen={deviceToSignOut !== null}
        onClose={() => setDeviceToSignOut(null)}
      >
        <MutedText>
          {t(
            'It won’t send or receive anything any more. You keep what it has sent; what it hasn’t sent stays on it. To use it again, link it with a code.',
          )}
        </MutedText>
        {email !== null && wipes !== null && wipes !== undefined && !canWipe && (
          <MutedText>{t('To delete its data as well, update Parley there first, and let it sync once.')}</MutedText>
        )}
        {revoke.isError && <ErrorBanner error={revoke.error} />}
        <Row>
          <Button
            variant="primary"
            isDisabled={revoke.isPending}
            onPress={() => {
              if (deviceToSignOut !== null) revoke.mutate({ deviceId: deviceToSignOut.deviceId });
            }}
          >
            {t('Sign out')}
          </Button>
          {email !== null && canWipe && (
            <Button
              onPress={() => {
                setDeviceToWipe(deviceToSignOut);
                setDeviceToSignOut(null);
              }}
            >
              {t('Sign out and delete its data…')}
            </Button>
          )}
          <Button variant="quiet" onPress={() => setDeviceToSignOut(null)}>
            {t('Keep it')}
          </Button>
        </Row>
      </Dialog>
      {deviceToWipe !== null && email !== null && (
        <WipeDevice
          device={deviceToWipe}
          email={email}
          onClose={() => setDeviceToWipe(null)}
          onRequested={(requested) => {
            cache.setQueryData(queries.account.deviceWipes.queryKey(), requested);
            void cache.invalidateQueries({ queryKey: queries.account.devices.queryKey() });
            setDeviceToWipe(null);
          }}
        />
      )}
    </>
  );
}

const isPending = ({ wipedAt }: DeviceWipes['wipes'][number]): boolean => wipedAt === null;

const wipeSentence = ({ requestedAt, wipedAt }: DeviceWipes['wipes'][number]): string =>
  wipedAt === null
    ? t('Signed out on {requestedAt}. Its data will be deleted when it next connects.', {
        requestedAt: formatDateTime(requestedAt),
      })
    : t('Signed out. Its data was deleted on {wipedAt}.', { wipedAt: formatDateTime(wipedAt) });

const formatLastSeen = (at: Date): string =>
  at.toLocaleString(formatLocale(), { dateStyle: 'medium', timeStyle: 'short' });
