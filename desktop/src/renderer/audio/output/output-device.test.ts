import { describe, expect, it } from 'vitest';
import { createOutputDevice, type Output } from './output-device.ts';

/** The computer's devices, which a test plugs in and unplugs. */
function computerWith(...ids: string[]) {
  const connected = new Set(ids);
  const target = new EventTarget();
  const change = (): void => void target.dispatchEvent(new Event('devicechange'));
  return {
    devices: {
      enumerateDevices: () =>
        Promise.resolve([...connected].map((deviceId) => ({ kind: 'audiooutput', deviceId }) as MediaDeviceInfo)),
      addEventListener: target.addEventListener.bind(target),
    },
    plug: (id: string) => {
      connected.add(id);
      change();
    },
    unplug: (id: string) => {
      connected.delete(id);
      change();
    },
  };
}

function anOutput({ refuses }: { refuses?: string } = {}): Output & { sink: string } {
  return {
    sink: '',
    setSinkId(id) {
      if (id === refuses) return Promise.reject(new DOMException('busy', 'NotFoundError'));
      this.sink = id;
      return Promise.resolve();
    },
  };
}

describe('the output device', () => {
  it('is the system’s default until the learner chooses one', async () => {
    const output = anOutput();
    await createOutputDevice(computerWith('headset').devices).attach(output).ready;
    expect(output.sink).toBe('');
  });

  it('moves playback to the chosen device and plays the next sound there', async () => {
    const device = createOutputDevice(computerWith('headset').devices);
    const playing = anOutput();
    device.attach(playing);
    device.choose('headset');
    await expect.poll(() => playing.sink).toBe('headset');
    const next = anOutput();
    await device.attach(next).ready;
    expect(next.sink).toBe('headset');
  });

  it('plays on the default only while the chosen device is unplugged', async () => {
    const computer = computerWith('headset');
    const device = createOutputDevice(computer.devices);
    const playing = anOutput();
    device.attach(playing);
    device.choose('headset');
    await expect.poll(() => playing.sink).toBe('headset');
    const seen: boolean[] = [];
    device.subscribe(() => seen.push(device.isMissing()));
    computer.unplug('headset');
    await expect.poll(() => playing.sink).toBe('');
    expect(device.isMissing()).toBe(true);
    computer.plug('headset');
    await expect.poll(() => playing.sink).toBe('headset');
    expect(seen).toEqual([true, false]);
  });

  it('leaves a sound alone that has ended', async () => {
    const device = createOutputDevice(computerWith('headset').devices);
    const ended = anOutput();
    device.attach(ended).release();
    device.choose('headset');
    await expect.poll(() => device.current()).toBe('headset');
    expect(ended.sink).toBe('');
  });

  it('plays on the default when the chosen device cannot be opened', async () => {
    const device = createOutputDevice(computerWith('headset').devices);
    device.choose('headset');
    await expect.poll(() => device.current()).toBe('headset');
    const output = anOutput({ refuses: 'headset' });
    output.sink = 'before';
    await device.attach(output).ready;
    expect(output.sink).toBe('');
  });
});
