/** An eight-pointed star, as on the tiles of the region. */
const STAR =
  '<rect width="32" height="32" rx="7" fill="#1f4e5f"/>' +
  '<g fill="#f2c14e"><rect x="8.5" y="8.5" width="15" height="15"/>' +
  '<rect x="8.5" y="8.5" width="15" height="15" transform="rotate(45 16 16)"/></g>' +
  '<circle cx="16" cy="16" r="4.5" fill="#1f4e5f"/>'

const SVG = 'xmlns="http://www.w3.org/2000/svg"'

/** Served by the service itself, like everything else on the page. */
export const DOCS_ICON = {
  filename: 'icon.svg',
  rel: 'icon',
  type: 'image/svg+xml',
  sizes: 'any',
  content: `<svg ${SVG} viewBox="0 0 32 32">${STAR}</svg>`,
}

export const DOCS_LOGO = Buffer.from(
  `<svg ${SVG} viewBox="0 0 190 32" role="img" aria-label="Melmastoon">${STAR}` +
    '<text x="42" y="23" font-family="system-ui, sans-serif" font-size="21" font-weight="600" ' +
    'fill="#ffffff">Melmastoon</text></svg>',
)
