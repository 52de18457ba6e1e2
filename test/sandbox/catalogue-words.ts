/** The invented names and words that the catalogue is made from. */

export type NameAndCountry = readonly [name: string, country: string];

function people(lines: string): NameAndCountry[] {
  return lines
    .trim()
    .split("\n")
    .map((line): NameAndCountry => {
      const [name = "", country = ""] = line.split(", ");
      return [name, country];
    });
}

/** Musicians who are users from the start, besides the demo users. */
export const PEOPLE = people(`
Mara Lind, SE
Tobin Ashgrove, GB
Ysolde Perrin, FR
Kaito Morinaga, JP
Noor Valcárcel, ES
Bram Oosterhagen, NL
Celestine Okonjo, GB
Rafe Dunmorrow, US
Ilse Kornblatt, DE
Davor Mihalić, HR
Juno Starling, US
Petra Wolkenstein, AT
Amadou Sarr-Lô, SN
Lumi Haavisto, FI
Octavio Brisas, MX
Wren Calloway-Fox, US
Søren Tyndal, DK
Beatriz Almourol, PT
Jaroslav Hruba, CZ
Imogen Fairweather, AU
Kwame Ansah-Reid, GH
Delphine Mauriac-Roux, FR
Eino Kallas, EE
Marisol Quintanar, CO
Thaddeus Vane, CA
Ayla Demirkan, TR
Gwendal Kerbrat, FR
Nerys Pengelly, GB
Oskar Brandvik, NO
Paloma Echegaray, AR
Haru Tsukishiro, JP
Fionnuala Breck, IE
Zbigniew Jaskier, PL
Tamsin Hollowell, NZ
Emre Yıldızhan, TR
Liora Ben-Tal, IL
Matteo Sorgente, IT
Anouk Vreeswijk, BE
Silas Whitcombe, US
Indira Pallavan, IN
`);

/** Musicians who become users when they first log in. */
export const NEWCOMERS = people(`
Aurelio Montefosco, IT
Brigid Tarrowell, IE
Casimir Zaręba, PL
Dagny Solheim-Vik, NO
Elif Karaçelik, TR
Florian Immergrün, DE
Greta Ljungdal, SE
Hamish Corrievale, GB
Inês Salgueirinho, PT
Joaquín Almendrales, CL
Keziah Umberland, US
Leocadia Fuentemar, ES
Mirek Podlesny, CZ
Naledi Mokwena-Starr, ZA
Ottoline Farthingale, GB
Priya Chandavar, IN
Quentin Lafosse-Dray, FR
Rosalba Nuvoletti, IT
Sindre Haugastøl, NO
Tomoe Kazahaya, JP
Ulrike Birkenfels, AT
Valdís Hrafnsey, IS
Winona Larkspur, CA
Xavi Portabella-Roig, ES
Yaropolk Vetrov, UA
Zuleika Marchmont, GB
Anselm Rotkehl, DE
Birgitta Nyström-Falk, SE
Caoimhe Dunleavy, IE
Dario Fontanelle, IT
Esra Gökdemir, TR
Fergus Lochhead, GB
Giulia Pampaloni, IT
Henrike Sandvoss, DE
Ingvild Tronstad, NO
Jesper Almquist, SE
Radka Vojtková, CZ
Severin Amstutz, CH
Tuuli Rantakari, FI
Ulrikke Fjeldgaard, DK
Vasco Pinheirinho, PT
Wiebke Harmsen, DE
Xiomara Quispe, PE
`);

/** More users from the start, last in the catalogue so that earlier ids stay the same. */
export const LATECOMERS = people(`
Ismene Vourlioti, GR
Jorunn Askeland, NO
Kester Whitlaw, GB
`);

/** Acts whose songs belong to no musician; only the search finds them. */
export const OTHER_ACTS: readonly string[] = [
  "The Paper Lanterns Club",
  "Velvet Cartographer",
  "Nine Quiet Bridges",
  "Glasshouse Choir",
  "Second Hand Comets",
  "Marmalade Radio",
  "The Understudies",
  "Polar Garden",
  "Kites Over Lisbon",
  "Hotel Antarctica",
  "Slow Elevator",
  "Copper & Thyme",
];

export const ADJECTIVES =
  "Amber Borrowed Crooked Distant Electric Faded Gentle Hollow Idle Jagged Kindred Lonesome Midnight Northern Open Paper Quiet Restless Silver Tangled Unsent Violet Wandering Younger".split(
    " ",
  );

export const NOUNS =
  "Anchors Balcony Carousel Daylight Embers Ferry Garden Harbour Island Jukebox Kitchen Letters Meadow Neon Orbit Postcards Quarry Rooftops Satellite Telephone Umbrella Valley Windows Yesterday".split(
    " ",
  );

export const PLACES: readonly string[] = [
  "by the Sea",
  "in November",
  "after the Rain",
  "for Two",
  "without You",
  "at Dawn",
  "on the Night Train",
  "in Slow Motion",
  "Pt. II",
  "(Acoustic)",
];

/** Titles that no page may break on; each one is given to a song of an ordinary musician. */
export const AWKWARD_TITLES = [
  "The Very Long and Entirely Unabridged Story of How We Missed the Last Ferry Home, Slept Under the Awning of a Closed Bakery, and Woke Up Singing the Same Wrong Melody in Three Different Keys",
  "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaftsjubiläumswalzer, Rindfleischetikettierungsüberwachungsaufgabenübertragungspolka, und ein leises Lied",
  "שיר של בוקר מוקדם",
  "אור ראשון (גרסה חיה)",
  "أغنية تحت المطر",
  "🌧️ Rain Check ☔",
  "👩‍🚀🪐 Zero-G Lullaby 🎶",
  `<b>Bold</b> & "Loud" 'n' Clear`,
  `Ain't <i>That</i> Something & "Other" Stories`,
  "¿Dónde Están Mis Llaves?",
  "静かな海 (Quiet Sea)",
  "-",
];

/** Musicians like `NEWCOMERS`, added later. */
export const LATER_NEWCOMERS = people(`
Ansgar Wiesenthau, DE
Beatrix Langmoor, GB
Caetano Rochavelha, BR
Delphine Aubrac-Noël, FR
Eilidh Strathcairn, GB
Fabrizio Montalbero, IT
Gunnhild Østervoll, NO
Henrike Sandvoort, NL
Itziar Goikoetxea, ES
Jolanta Wiśniowska, PL
Kjartan Eldhraun, IS
Lorcan Ballintaggart, IE
Mihály Szentkereszt, HU
Nadezhda Belorechka, BG
Osvaldo Quebracho, AR
Pernille Klintholm, DK
Quirin Hochleitner, AT
Rahel Oberwinkler, CH
Siobhán Glenveagh, IE
Tiago Mirandela, PT
Urszula Bukowska, PL
Vesna Plitvička, HR
Wilhelmina Drift, NL
Yannick Penmarc'h, FR
`);
