#!/bin/sh
# Makes the files of this folder anew, with ffmpeg, lame and sox (on Debian: apt-get install ffmpeg lame sox).
set -eu
cd "$(dirname "$0")"
wav=$(mktemp --suffix .wav)
stereo=$(mktemp --suffix .wav)
trap 'rm -f "$wav" "$stereo"' EXIT
sox -R -n -r 8000 -c 1 -b 16 "$wav" synth 4.5 sine 200:800 gain -6
sox -R -n -r 44100 -c 2 -b 16 "$stereo" synth 4.5 sine 200:800 sine 300:500 gain -6

lame --quiet -b 8 -m m "$wav" lame.mp3
lame --quiet -t -b 8 -m m "$wav" lame-no-header.mp3
lame --quiet -t -V 9 -m m "$stereo" lame-varying-no-header.mp3
lame --quiet -V 9 -m m "$wav" lame-varying.mp3
lame --quiet --abr 32 -m j "$stereo" lame-average-stereo.mp3
lame --quiet -p -b 8 -m m "$wav" lame-checksums.mp3
lame --quiet -b 8 -m m --add-id3v2 --pad-id3v2 --tt Title --ta Artist "$wav" lame-tagged.mp3
lame --quiet --freeformat -b 16 -m m "$wav" lame-free-format.mp3
for rate in 16 44.1; do lame --quiet --resample $rate -b 32 -m m "$wav" "lame-$rate.mp3"; done

make() { ffmpeg -v error -y -bitexact -i "$wav" "$@"; }
make -b:a 8k -metadata title=Title -write_id3v1 1 ffmpeg.mp3
make -c:a mp2 -ar 16000 -b:a 8k -f mp2 ffmpeg-layer-2.mp3
make -c:a aac -b:a 12k ffmpeg.m4a
make -c:a aac -b:a 12k -movflags faststart ffmpeg-index-first.m4a
make -c:a aac -b:a 12k -use_editlist 0 ffmpeg-no-edits.m4a
make -c:a aac -b:a 12k -movflags frag_keyframe+empty_moov ffmpeg-fragments.m4a
make -c:a aac -b:a 12k -f mov ffmpeg-quicktime.m4a
make -c:a alac ffmpeg-lossless.m4a
make -c:a libopus -b:a 8k -f mp4 ffmpeg-opus.m4a
make -c:a aac -b:a 12k -f adts ffmpeg.aac
make -c:a flac ffmpeg.flac
make -c:a libopus -b:a 8k ffmpeg.ogg
make -c:a adpcm_ms ffmpeg-adpcm.wav
make -c:a pcm_u8 -f wav - | cat > ffmpeg-pipe.wav
ffmpeg -v error -y -bitexact -ss 0.2 -i ffmpeg.m4a -t 4.1 -c copy ffmpeg-cut.m4a
ffmpeg -v error -y -bitexact -itsoffset 0.5 -i ffmpeg.m4a -c copy ffmpeg-late.m4a

sox -R "$wav" -b 8 -e unsigned sox.wav
sox -R "$wav" -e gsm sox-gsm.wav
