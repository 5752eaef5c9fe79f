import { describe, expect, test } from 'vitest';
import { createClock } from '../../test/support/service/service-parts.js';
import { ServiceError } from '../errors.js';
import { createSignInLimits } from './sign-in-limits.js';

const RIGHT = 'right';

function createLimits() {
  const clock = createClock();
  const limits = createSignInLimits(clock);
  const unauthorized = () => new ServiceError('unauthorized', 'No.');
  const tried: string[] = [];
  /** Result of a sign-in: `right`, or the code of its error. */
  const attempt = (name: string, address: string, isRight = false) =>
    limits
      .attempt({ name, address }, async () => {
        tried.push(name);
        if (!isRight) throw unauthorized();
        return RIGHT;
      })
      .catch(({ code }: ServiceError) => code);
  const refuse = (address: string, name?: string) =>
    limits.refuse({ address, ...(name !== undefined && { name }) }, unauthorized());
  return { ...clock, limits, tried, attempt, refuse };
}

const times = async <T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> => {
  const results: T[] = [];
  for (let index = 0; index < count; index += 1) results.push(await work(index));
  return results;
};
const all = (count: number, result: string) => Array<string>(count).fill(result);

describe('A8: failed sign-ins', () => {
  test('lock no caller out for longer when the clock is set back', async () => {
    const { attempt, advance } = createLimits();
    await times(10, () => attempt('app_1', '192.0.2.1'));
    advance(-3_600_000);
    expect(await attempt('app_1', '192.0.2.1')).toBe('rate_limited');
    advance(60_000);
    expect(await attempt('app_1', '192.0.2.1', true)).toBe(RIGHT);
  });

  test('are refused without a check after ten a minute for one name and address', async () => {
    const { attempt, tried } = createLimits();
    expect(await times(10, () => attempt('app_1', '192.0.2.1'))).toEqual(all(10, 'unauthorized'));
    expect(await attempt('app_1', '192.0.2.1')).toBe('rate_limited');
    expect(await attempt('app_1', '192.0.2.1', true)).toBe('rate_limited');
    expect(tried).toHaveLength(10);
  });

  test('report the wait in Retry-After, after which a try is allowed', async () => {
    const { attempt, limits, advance } = createLimits();
    await times(5, () => attempt('app_1', '192.0.2.1'));
    advance(20_000);
    await times(5, () => attempt('app_1', '192.0.2.1'));
    const refused = limits.attempt({ name: 'app_1', address: '192.0.2.1' }, async () => RIGHT);
    await expect(refused).rejects.toMatchObject({ code: 'rate_limited', details: { retryAfter: 40 } });
    advance(40_000);
    expect(await attempt('app_1', '192.0.2.1', true)).toBe(RIGHT);
    expect(await times(6, () => attempt('app_1', '192.0.2.1'))).toEqual([
      ...all(5, 'unauthorized'),
      'rate_limited',
    ]);
  });

  test('do not block a correct secret from another address, which gets one try', async () => {
    const { attempt } = createLimits();
    await times(10, () => attempt('app_1', '192.0.2.1'));
    expect(await attempt('app_1', '198.51.100.7', true)).toBe(RIGHT);
    expect(await attempt('app_1', '198.51.100.8')).toBe('rate_limited');
    expect(await attempt('app_1', '198.51.100.8', true)).toBe('rate_limited');
    expect(await attempt('app_2', '192.0.2.1', true)).toBe(RIGHT);
  });

  test('are limited to thirty a minute per address, whatever the names', async () => {
    const { attempt } = createLimits();
    const codes = await times(31, (index) => attempt(`app_${index}`, '192.0.2.1'));
    expect(codes).toEqual([...all(30, 'unauthorized'), 'rate_limited']);
    expect(await attempt('app_right', '192.0.2.1', true)).toBe('rate_limited');
    expect(await attempt('app_right', '192.0.2.2', true)).toBe(RIGHT);
  });

  test('count together with forged tokens of the same address', async () => {
    const { attempt, refuse } = createLimits();
    await times(15, (index) => attempt(`app_${index}`, '192.0.2.1'));
    await times(15, async () => expect(refuse('192.0.2.1')).toMatchObject({ code: 'unauthorized' }));
    expect(refuse('192.0.2.1')).toMatchObject({ code: 'rate_limited', details: { retryAfter: 60 } });
    expect(await attempt('app_1', '192.0.2.1', true)).toBe('rate_limited');
  });

  test('are limited to ten in parallel, and a correct guess among the others is not revealed', async () => {
    const { attempt, tried } = createLimits();
    const codes = await Promise.all(
      Array.from({ length: 100 }, (_, index) => attempt('app_1', '192.0.2.1', index === 50)),
    );
    expect(codes.filter((code) => code === 'unauthorized')).toHaveLength(10);
    expect(codes.filter((code) => code === 'rate_limited')).toHaveLength(90);
    expect(tried).toHaveLength(10);
  });

  test('are limited to thirty in parallel per address, whatever the names', async () => {
    const { attempt, tried } = createLimits();
    await Promise.all(Array.from({ length: 1000 }, (_, index) => attempt(`app_${index}`, '192.0.2.1')));
    expect(tried).toHaveLength(30);
    expect(await attempt('app_1', '192.0.2.2', true)).toBe(RIGHT);
  });

  test('are limited to ten per name and thirty per address when they are refused at once', async () => {
    const { refuse, limits } = createLimits();
    for (let index = 0; index < 10; index += 1) {
      expect(refuse('192.0.2.1', 'app_1')).toMatchObject({ code: 'unauthorized' });
    }
    expect(refuse('192.0.2.2', 'app_1')).toMatchObject({ code: 'rate_limited' });
    expect(() => limits.check({ name: 'app_1', address: '192.0.2.1' })).toThrow(/Too many sign-ins/);
    for (let index = 0; index < 20; index += 1) {
      expect(refuse('192.0.2.1', `app_x${index}`)).toMatchObject({ code: 'unauthorized' });
    }
    expect(refuse('192.0.2.1', 'app_y')).toMatchObject({ code: 'rate_limited' });
  });

  test('are not counted for a name without failures from that address', () => {
    const { refuse, limits } = createLimits();
    for (let index = 0; index < 100; index += 1) refuse('192.0.2.1', `app_x${index}`);
    for (let index = 0; index < 100; index += 1) refuse('192.0.2.2', 'app_1');
    expect(() => limits.check({ name: 'app_1', address: '192.0.2.1' })).not.toThrow();
    expect(() => limits.check({ name: 'app_1', address: '192.0.2.2' })).toThrow(/Too many sign-ins/);
  });

  test('do not include successful sign-ins and outages', async () => {
    const { attempt, limits } = createLimits();
    expect(await times(100, () => attempt('app_1', '192.0.2.1', true))).toEqual(all(100, RIGHT));
    const down = () => Promise.reject(new ServiceError('unavailable', 'Down.'));
    await times(20, () =>
      expect(limits.attempt({ name: 'app_1', address: '192.0.2.1' }, down)).rejects.toMatchObject({
        code: 'unavailable',
      }),
    );
    expect(await attempt('app_1', '192.0.2.1', true)).toBe(RIGHT);
  });

  test.each([
    { title: 'one IPv6 network', first: '2001:db8:0:1::1', second: '2001:db8:0:1:ffff::2', isSame: true },
    {
      title: 'two IPv6 networks',
      first: '2001:db8:0:1::1',
      second: '2001:db8:0:2::1',
      isSame: false,
    },
    {
      title: 'an IPv4 address and its mapped form',
      first: '192.0.2.1',
      second: '::ffff:192.0.2.1',
      isSame: true,
    },
  ])('share a limit according to the network: $title', async ({ first, second, isSame }) => {
    const { refuse } = createLimits();
    for (let index = 0; index < 30; index += 1) refuse(first);
    expect(refuse(second)).toMatchObject({ code: isSame ? 'rate_limited' : 'unauthorized' });
  });

  test('are evicted oldest first before forged addresses fill the memory', () => {
    const { refuse } = createLimits();
    for (let index = 0; index < 30; index += 1) refuse('192.0.2.1');
    expect(refuse('192.0.2.1')).toMatchObject({ code: 'rate_limited' });
    for (let index = 0; index < 10_000; index += 1) refuse(`10.1.${index >> 8}.${index & 255}`);
    expect(refuse('192.0.2.1')).toMatchObject({ code: 'unauthorized' });
  });
});
