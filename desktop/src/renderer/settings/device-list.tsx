/** Lists the account's devices and signs out one that was lost or given away. */
import { formatLocale, t } from '@parley/i18n';
import type { AccountDevice } from '@parley/contract';
import { Button, Dialog, Icon, MutedText, Row } from '@parley/ui';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { useHost } from '../foundation/host/host-context.tsx';
import { ErrorBanner } from '../foundation/screen/screen.tsx';
import css from './settings.module.css';

/** Shown only while the server is reachable, because every action here needs it. */
export function DeviceList(): ReactElement | null {
  const { queries } = useHost();
  const cache = useQueryClient();
  const [deviceToSignOut, setDeviceToSignOut] = useState<AccountDevice | null>(null);
  const status = useQuery(queries.sync.status.queryOptions());
  const isConnected = status.data !== undefined && ['idle', 'pushing', 'pulling'].includes(status.data.state);
  const devices = useQuery(queries.account.devices.queryOptions({ enabled: isConnected, retry: false }));
  const revoke = useMutation(
    queries.account.revokeDevice.mutationOptions({
      onSuccess: (left) => {
        cache.setQueryData(queries.account.devices.queryKey(), left);
        setDeviceToSignOut(null);
      },
    }),
  );
  if (!isConnected || devices.data === undefined) return null;
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
          <Button variant="quiet" onPress={() => setDeviceToSignOut(null)}>
            {t('Keep it')}
          </Button>
        </Row>
      </Dialog>
    </>
  );
}

const formatLastSeen = (at: Date): string =>
  at.toLocaleString(formatLocale(), { dateStyle: 'medium', timeStyle: 'short' });
