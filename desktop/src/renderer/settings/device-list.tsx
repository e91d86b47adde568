/** The devices that share this history, and how to sign one out that was lost or given away. */
import type { AccountDevice } from '@parley/contract';
import { Button, Dialog, Icon, Quiet, Row } from '@parley/ui';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { useHost } from '../app/host-context.tsx';
import { FailureBanner } from '../app/screen.tsx';
import css from './settings.module.css';

/** Shown only while the server can be asked: without it there is nothing that could be done here. */
export function DeviceList(): ReactElement | null {
  const { queries } = useHost();
  const cache = useQueryClient();
  const [leaving, setLeaving] = useState<AccountDevice | null>(null);
  const status = useQuery(queries.sync.status.queryOptions());
  const isConnected = status.data !== undefined && ['idle', 'pushing', 'pulling'].includes(status.data.state);
  const devices = useQuery(queries.account.devices.queryOptions({ enabled: isConnected, retry: false }));
  const revoke = useMutation(
    queries.account.revokeDevice.mutationOptions({
      onSuccess: (left) => {
        cache.setQueryData(queries.account.devices.queryKey(), left);
        setLeaving(null);
      },
    }),
  );
  if (!isConnected || devices.data === undefined) return null;
  return (
    <>
      <ul className={css['devices']} aria-label="Devices of this account">
        {devices.data.map((device) => (
          <li key={device.deviceId} className={css['device']}>
            <Icon name="computer" />
            <span>
              {device.name}
              <Quiet small>{device.isThis ? 'This device' : `Last seen ${seenAt(device.lastSeenAt)}`}</Quiet>
            </span>
            {!device.isThis && (
              <Button look="quiet" onPress={() => setLeaving(device)}>
                Sign out
              </Button>
            )}
          </li>
        ))}
      </ul>
      <Dialog title={`Sign out ${leaving?.name ?? ''}?`} isOpen={leaving !== null} onClose={() => setLeaving(null)}>
        <Quiet>
          It will not receive or send anything any more. What it has sent stays with you; what it has not sent yet stays
          on it. To use it again, link it with a code.
        </Quiet>
        {revoke.isError && <FailureBanner error={revoke.error} />}
        <Row>
          <Button
            look="primary"
            isDisabled={revoke.isPending}
            onPress={() => {
              if (leaving !== null) revoke.mutate({ deviceId: leaving.deviceId });
            }}
          >
            Sign out
          </Button>
          <Button look="quiet" onPress={() => setLeaving(null)}>
            Keep it
          </Button>
        </Row>
      </Dialog>
    </>
  );
}

const seenAt = (at: Date): string => at.toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
