// The key to the colours of a heat map.
import { severityColours } from "./colour_table";

interface ColourKeyProps {
  least: string; // the value of the darkest colour
  most: string; // the value of the brightest one
  isLogarithmic?: boolean;
}
const [width, height] = [160, 12];

export function ColourKey({ least, most, isLogarithmic = false }: ColourKeyProps) {
  const step = width / severityColours.length;
  return (
    <div class="key">
      <span>{least}</span>
      <svg width={width} height={height} role="img" aria-label={`colours from ${least}, dark, to ${most}, bright`}>
        {severityColours.map((colour, i) => (
          <rect x={i * step} width={step + 1} height={height} fill={colour} />
        ))}
      </svg>
      <span>{most + (isLogarithmic ? " (logarithmic)" : "")}</span>
      <svg width={height} height={height} aria-hidden="true">
        <rect class="paper" x="0.5" y="0.5" width={height - 1} height={height - 1} />
      </svg>
      <span>0</span>
    </div>
  );
}
