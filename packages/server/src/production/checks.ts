import { existsSync } from 'node:fs';
import path from 'node:path';
import { closestName } from '@svc/catalog';
import ipaddr from 'ipaddr.js';
import { SETTINGS } from '../config/settings.js';
import { isBlockedAddress } from '../http/blocked-addresses.js';
import { readPostgresTarget } from '../storage/postgres-target.js';
import { FIRST_SECRETS } from '../storage/secret-file.js';
import { portOf } from '../text/port-of.js';
import { findLooseCatalogs, findLooseData, findLooseSecrets } from './loose-files.js';
import type { Check, Surroundings } from './surroundings.js';

/** Host names of this machine, and of cloud metadata services, which give out credentials of the machine. */
const INSIDE_NAMES =
  /^(localhost|.+\.localhost|localhost\.localdomain|ip6-localhost|metadata|metadata\.google\.internal|metadata\.goog|instance-data|instance-data\.ec2\.internal|metadata\.azure\.internal|metadata\.tencentyun\.com|metadata\.platformequinix\.com)$/i;

const plainHost = (host: string): string => host.replace(/^\[|\]$/g, '').replace(/\.$/, '');

/** Returns true for addresses and well-known host names that are only reachable inside this machine or its network. */
function isInside(host: string): boolean {
  const plain = plainHost(host);
  return ipaddr.isValid(plain) ? isBlockedAddress(plain) : INSIDE_NAMES.test(plain);
}

function isLoopback(host: string): boolean {
  const plain = plainHost(host);
  if (ipaddr.isValid(plain)) return ipaddr.process(plain).range() === 'loopback';
  return /^(localhost|.+\.localhost)$/i.test(plain);
}

const MAPPED_BITS = 96;
const PRIVATE_RANGES = ['private', 'uniqueLocal', 'loopback', 'linkLocal', 'carrierGradeNat'];

/** Parses an IP address or a network. An IPv4 network in IPv6 notation (`::ffff:…`) counts as IPv4. */
function readNetwork(text: string) {
  const [given, bits] = ipaddr.parseCIDR(
    text.includes('/') ? text : `${text}/${ipaddr.parse(text).kind() === 'ipv4' ? 32 : 128}`,
  );
  const isMapped = given instanceof ipaddr.IPv6 && given.isIPv4MappedAddress() && bits >= MAPPED_BITS;
  const address = isMapped ? given.toIPv4Address() : given;
  return {
    kind: address.kind(),
    prefixBits: isMapped ? bits - MAPPED_BITS : bits,
    isPublic: !PRIVATE_RANGES.includes(address.range()),
  };
}

/**
 * Shortest prefix that a trusted network may have. 10.0.0.0/8 and fc00::/7 are the widest private networks, so a
 * shorter prefix includes mostly public addresses.
 */
const MIN_PREFIX_BITS = { ipv4: 8, ipv6: 7 };
/**
 * Shortest prefix of a public network whose proxies the service trusts without a start warning. Providers of reverse
 * proxies have no wider networks, so a shorter prefix is probably a mistake.
 */
const MIN_PUBLIC_PREFIX_BITS = { ipv4: 12, ipv6: 28 };

function isBoundless(network: string): boolean {
  const { kind, prefixBits } = readNetwork(network);
  return prefixBits < MIN_PREFIX_BITS[kind];
}

function isWide(network: string): boolean {
  const { kind, prefixBits, isPublic } = readNetwork(network);
  return isPublic && prefixBits < MIN_PUBLIC_PREFIX_BITS[kind] && !isBoundless(network);
}

const SETTING_VARIABLES = Object.values(SETTINGS).map(({ env }) => env);

/**
 * Finds unknown environment variables that resemble a setting. Other `SVC_` variables may belong to clients and
 * orchestrators.
 */
function findMisspelt({ env }: Surroundings): readonly string[] {
  return Object.keys(env)
    .filter((name) => name.startsWith('SVC_') && env[name] && !SETTING_VARIABLES.includes(name))
    .flatMap((name) => {
      const meant = closestName(name, SETTING_VARIABLES);
      return meant === undefined
        ? []
        : `${name} is not a setting of the service, so it has no effect. Rename it to ${meant}, or remove it.`;
    });
}

const when = (isWrong: boolean, sentence: string): readonly string[] => (isWrong ? [sentence] : []);

const isPlainHttp = (url: string): boolean => new URL(url).protocol === 'http:';

/** Maximum entropy of a secret in bits, computed from its length and its number of distinct characters. */
const bitsOf = (secret: string | undefined): number =>
  secret === undefined ? Number.POSITIVE_INFINITY : secret.length * Math.log2(new Set(secret).size);

const UNSAFE_NODE_OPTION = /^--(inspect|tls-keylog|tls-min-v1\.[01]|insecure-http-parser|trace-tls)/;

/** All checks that a production start must pass, or that it reports as a warning. */
export const CHECKS: readonly Check[] = [
  {
    name: 'the sandbox',
    find: ({ config }) =>
      when(config.sandbox, '--sandbox starts emulators of the upstreams. Start without this option.'),
  },
  {
    name: 'an environment URL without TLS',
    find: ({ config: { environmentUrl } }) =>
      when(
        isPlainHttp(environmentUrl),
        `SVC_ENVIRONMENT_URL is ${environmentUrl}, without TLS. Put TLS in front of the service and set the https URL that users see.`,
      ),
  },
  {
    name: 'a proxy URL without TLS',
    find: ({ config: { proxyAddress } }) =>
      when(
        // Production opens the proxy port only if `SVC_PROXY_URL` is set.
        proxyAddress?.isConfigured === true && isPlainHttp(proxyAddress.url),
        `SVC_PROXY_URL is ${proxyAddress?.url}, without TLS. Put TLS in front of the proxy port and set the https URL that clients use.`,
      ),
  },
  {
    name: 'a public host without TLS',
    find: ({ config: { host, environmentUrl } }) =>
      when(
        !isLoopback(host) && isPlainHttp(environmentUrl),
        `SVC_HOST is ${host}, which other machines can reach, but SVC_ENVIRONMENT_URL is not https. Secrets would be sent unencrypted. Set SVC_ENVIRONMENT_URL to an https URL, or SVC_HOST to 127.0.0.1.`,
      ),
  },
  {
    name: 'an environment URL on another port of this machine',
    isDoubt: true,
    find: ({ config: { environmentUrl, port } }) =>
      when(
        isLoopback(new URL(environmentUrl).hostname) && portOf(environmentUrl) !== port,
        `SVC_ENVIRONMENT_URL is ${environmentUrl}, but the service listens on port ${port}. Unless a proxy forwards this URL to the service, links and redirect URIs open another program. Unset SVC_ENVIRONMENT_URL, or use port ${port} in it.`,
      ),
  },
  {
    name: 'a listed origin inside the network',
    find: ({ config }) =>
      config.allowedOrigins
        .filter(({ origin }) => isInside(new URL(origin).hostname))
        .map(
          ({ origin }) =>
            `SVC_ALLOWED_ORIGINS lists ${origin}, an address of this machine, its network or its cloud. Remove this origin.`,
        ),
  },
  {
    name: 'a listed origin without TLS',
    find: ({ config }) =>
      config.allowedOrigins
        .filter(({ origin }) => isPlainHttp(origin))
        .map(
          ({ origin }) =>
            `SVC_ALLOWED_ORIGINS lists ${origin}, so credentials would be sent unencrypted. List its https origin instead.`,
        ),
  },
  {
    name: 'a trusted network of all addresses',
    find: ({ config }) =>
      config.trustedProxies
        .filter(isBoundless)
        .map(
          (network) =>
            `SVC_TRUSTED_PROXIES trusts ${network}, so any caller could forge its address. List only your reverse proxies.`,
        ),
  },
  {
    name: 'a wide trusted network',
    isDoubt: true,
    find: ({ config }) =>
      config.trustedProxies
        .filter(isWide)
        .map(
          (network) =>
            `SVC_TRUSTED_PROXIES trusts ${network}, a very wide public network. List only your reverse proxies.`,
        ),
  },
  {
    name: 'an egress proxy',
    isDoubt: true,
    find: ({ config: { egressProxies } }) => {
      const { https, http, all } = egressProxies;
      const used = Object.entries({ HTTPS_PROXY: https, HTTP_PROXY: http, ALL_PROXY: all });
      return used.flatMap(([name, proxy]) =>
        proxy === undefined
          ? []
          : `${name} is set, so the proxy ${new URL(proxy).host} resolves upstream hosts and the service cannot check their addresses. Configure the proxy to refuse private addresses.`,
      );
    },
  },
  {
    name: 'metrics that other machines can read',
    isDoubt: true,
    find: ({ config: { host, metrics } }) =>
      when(
        metrics !== undefined && metrics.token === undefined && !isLoopback(host),
        `SVC_METRICS_PORT serves metrics on ${host} without a token. Keep port ${metrics?.port} inside your network, or set SVC_METRICS_TOKEN.`,
      ),
  },
  {
    name: 'a metrics token that can be guessed',
    find: ({ config: { metrics } }) =>
      when(
        bitsOf(metrics?.token) < 80,
        'SVC_METRICS_TOKEN can be guessed. Set it to the output of `openssl rand -base64 32`.',
      ),
  },
  {
    name: 'a missing root key',
    find: ({ config: { rootKey, data } }) =>
      when(
        rootKey === undefined && !existsSync(path.join(data, 'root.key')),
        'SVC_ROOT_KEY is not set, so a generated key would be stored next to the data. Set it, preferably to a key of a key service.',
      ),
  },
  {
    name: 'a root key beside the data',
    isDoubt: true,
    find({ config: { rootKey, data } }) {
      const file = path.join(data, 'root.key');
      return when(
        rootKey === undefined && existsSync(file),
        `The root key is next to the data, so a copy of the data folder contains both. Move ${file} out of the folder, and set SVC_ROOT_KEY=file:<its new path>.`,
      );
    },
  },
  { name: 'a data folder that is open to others', find: findLooseData },
  { name: 'a key or secret file that is open to others', find: findLooseSecrets },
  { name: 'a catalogue that others may write', find: findLooseCatalogs },
  { name: 'a misspelt setting', isDoubt: true, find: findMisspelt },
  {
    name: 'first secrets that are still in a file',
    isDoubt: true,
    find({ config: { data } }) {
      const file = path.join(data, FIRST_SECRETS.name);
      return when(
        existsSync(file),
        `${file} still contains the secrets of the first start. Copy them to a safe place and delete the file.`,
      );
    },
  },
  {
    name: 'a client secret that can be guessed',
    find: ({ config }) =>
      when(
        bitsOf(config.firstClientSecret) < 80,
        'SVC_FIRST_CLIENT_SECRET can be guessed. Set it to the output of `openssl rand -base64 32`, or omit it for a random one.',
      ),
  },
  {
    name: 'an operator password that can be guessed',
    find: ({ config }) =>
      when(
        bitsOf(config.firstOperatorPassword) < 60,
        'SVC_FIRST_OPERATOR_PASSWORD can be guessed. Set a longer and less regular one, or omit it for a random one.',
      ),
  },
  {
    name: 'a database across the network without TLS',
    async find({ config: { databaseUrl } }) {
      if (databaseUrl === undefined) return [];
      const { host, isSocket, isProtected } = await readPostgresTarget(databaseUrl);
      return when(
        !isSocket && !isLoopback(host) && !isProtected,
        `DATABASE_URL connects to ${host} without verifying its certificate. Add ?sslmode=verify-full to the URL.`,
      );
    },
  },
  {
    name: 'certificates that are not verified',
    find: ({ env }) =>
      when(
        env['NODE_TLS_REJECT_UNAUTHORIZED'] === '0',
        'NODE_TLS_REJECT_UNAUTHORIZED is 0, which turns off certificate checks. Unset it, and list your own authorities in NODE_EXTRA_CA_CERTS.',
      ),
  },
  {
    name: 'options of Node.js that weaken security',
    find: ({ nodeOptions }) =>
      nodeOptions
        .filter((option) => UNSAFE_NODE_OPTION.test(option))
        .map(
          (option) => `Node.js runs with ${option}, which weakens its security. Start without this option.`,
        ),
  },
  {
    name: 'traces of Node.js',
    find: ({ env }) =>
      when(
        Boolean(env['NODE_DEBUG'] || env['NODE_DEBUG_NATIVE']),
        'NODE_DEBUG or NODE_DEBUG_NATIVE is set and prints requests with their secrets. Unset both.',
      ),
  },
];
