import ipaddr from 'ipaddr.js';

const MAPPED_BITS = 96;

interface Network {
  readonly kind: 'ipv4' | 'ipv6';
  /** Of the prefix. */
  readonly bits: number;
  readonly isPublic: boolean;
}

function readNetwork(text: string): Network {
  const [given, bits] = ipaddr.parseCIDR(
    text.includes('/') ? text : `${text}/${ipaddr.parse(text).kind() === 'ipv4' ? 32 : 128}`,
  );
  const isMapped = given instanceof ipaddr.IPv6 && given.isIPv4MappedAddress() && bits >= MAPPED_BITS;
  const address = isMapped ? given.toIPv4Address() : given;
  return {
    kind: address.kind(),
    bits: isMapped ? bits - MAPPED_BITS : bits,
    isPublic: !['private', 'uniqueLocal', 'loopback', 'linkLocal', 'carrierGradeNat'].includes(
      address.range(),
    ),
  };
}

/** A prefix shorter than this holds most of what is public: 10.0.0.0/8 and fc00::/7 are the widest private networks. */
const SHORTEST = { ipv4: 8, ipv6: 7 };
/** Wider than the networks of those who run reverse proxies for others. */
const SHORTEST_PUBLIC = { ipv4: 12, ipv6: 28 };

export const isBoundless = (network: string): boolean => {
  const { kind, bits } = readNetwork(network);
  return bits < SHORTEST[kind];
};

export const isWide = (network: string): boolean => {
  const { kind, bits, isPublic } = readNetwork(network);
  return isPublic && bits < SHORTEST_PUBLIC[kind] && !isBoundless(network);
};
