/** Logo of a connector. It is an image and not inline SVG, because images cannot run scripts. */
export function Logo({ svg, small = false }: { readonly svg: string | undefined; readonly small?: boolean }) {
  if (svg === undefined) return null;
  const drawn = svg.replaceAll('currentColor', '#17201e');
  return (
    <span class={small ? 'logo small' : 'logo'}>
      <img src={`data:image/svg+xml,${encodeURIComponent(drawn)}`} alt="" />
    </span>
  );
}
