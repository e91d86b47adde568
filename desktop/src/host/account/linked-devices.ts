/** The server's list of an account's devices, as the settings show it. */
import { type AccountDevice, LinkedDevice } from '@parley/contract';
import { ok } from '@parley/domain';
import type { Answer } from '../answer/index.ts';

export const toDevices = (answer: Answer<LinkedDevice[]>): Answer<AccountDevice[]> =>
  answer.ok
    ? ok(
        LinkedDevice.array()
          .parse(answer.value)
          .map(({ deviceId, name, platform, lastSeenAt, isThis }) => {
            return { deviceId, name, platform, lastSeenAt: new Date(lastSeenAt), isThis };
          }),
      )
    : answer;
