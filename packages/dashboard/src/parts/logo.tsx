/** The drawing of a connector: always decoration, its title stands beside it. As an image, nothing in it can run. */
export function Logo({ svg, small = false }: { readonly svg: string | undefined; readonly small?: boolean }) {
  if (svg === undefined) return null;
  const drawn = svg.replaceAll('currentColor', '#17201e');
  return (
    <span class={small ? 'logo small' : 'logo'}>
      <img src={`data:image/svg+xml,${encodeURIComponent(drawn)}`} alt="" />
    </span>
  );
}
