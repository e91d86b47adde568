/** Maps the server's list of devices to the list in Settings. */
import { type AccountDevice, LinkedDevice } from '@parley/contract';
import { ok } from '@parley/domain';
import type { HostResult } from '../result/index.ts';

export const toAccountDevices = (answer: HostResult<LinkedDevice[]>): HostResult<AccountDevice[]> =>
  answer.ok
    ? ok(
        LinkedDevice.array()
          .parse(answer.value)
          .map(({ deviceId, name, platform, lastSeenAt, isThis }) => {
            return { deviceId, name, platform, lastSeenAt: new Date(lastSeenAt), isThis };
          }),
      )
    : answer;
